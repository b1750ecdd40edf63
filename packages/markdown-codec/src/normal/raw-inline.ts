import type { NodeJSON } from "../types.ts";
import { NO_MARKS } from "./marks.ts";
import { pushText } from "./nodes.ts";
import { cleanText } from "./text.ts";

/** The source of a construct within a line: a line end in it, with the spaces around, is one space. */
export function rawLine(source: string): string {
  return cleanText(source).replace(/[ \t]*\n[ \t]*/g, " ");
}

const isBlockId = (node: NodeJSON | undefined): boolean => node?.type === "rawInline" && node.attrs?.kind === "blockId";

/**
 * The id of a block stands at its end, after a space or with nothing else, without marks; anywhere else it is text. Returns true
 * where one became text.
 */
export function settleBlockId(nodes: NodeJSON[]): boolean {
  if (!nodes.some(isBlockId)) return false;
  const last = nodes.length - 1;
  const isText = nodes.map((node, index) => isBlockId(node) && !(index === last && canStand(nodes)));
  if (!isText.includes(true)) return false;
  const all = nodes.splice(0);
  all.forEach((node, index) => {
    if (isText[index]) pushText(String(node.attrs?.source), node.marks ?? NO_MARKS, nodes);
    else if (node.type === "text") pushText(node.text ?? "", node.marks ?? NO_MARKS, nodes, node);
    else nodes.push(node);
  });
  return true;
}

// A space that begins its line is written as an entity, and is none to the reader of the id.
function canStand(nodes: readonly NodeJSON[]): boolean {
  const [before, space, id] = [undefined, undefined, ...nodes].slice(-3);
  if (id?.marks !== undefined) return false;
  if (nodes.length === 1) return true;
  if (space?.type !== "text" || space.marks !== undefined || !space.text?.endsWith(" ")) return false;
  return space.text.trim() !== "" || (before !== undefined && before.type !== "hardBreak");
}
