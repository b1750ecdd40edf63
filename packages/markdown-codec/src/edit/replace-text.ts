import { textNode } from "../normal/inline.ts";
import { NO_MARKS } from "../normal/marks.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";

/** What stands for a node in the text that is searched: a break is a line feed, the others one character nobody types. */
export function searchText(block: NodeJSON): string {
  return (block.content ?? []).map(shownAs).join("");
}

const ATOM = "\ufffc";

function shownAs(node: NodeJSON): string {
  if (node.type === "text") return node.text ?? "";
  return node.type === "hardBreak" ? "\n" : ATOM;
}

/** The block with `length` characters of its search text from `start` replaced. */
export function replaceInBlock(block: NodeJSON, start: number, length: number, replacement: string): NodeJSON {
  const out: NodeJSON[] = [];
  let at = 0;
  let marks: readonly MarkJSON[] | undefined;
  for (const node of block.content ?? []) {
    const text = shownAs(node);
    const from = Math.max(start - at, 0);
    const to = Math.min(start + length - at, text.length);
    if (from >= to) out.push(node);
    else {
      const isFirst = marks === undefined;
      marks ??= node.marks ?? NO_MARKS;
      pushText(out, text.slice(0, from), node.marks);
      if (isFirst) pushText(out, replacement, marks);
      pushText(out, text.slice(to), node.marks);
    }
    at += text.length;
  }
  return { ...block, content: out };
}

function pushText(out: NodeJSON[], text: string, marks: readonly MarkJSON[] = NO_MARKS): void {
  if (text !== "") out.push(textNode(text, marks));
}
