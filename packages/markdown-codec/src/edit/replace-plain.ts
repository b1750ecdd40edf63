import { CodecError } from "../error.ts";
import { NOTHING, textNode } from "../normal/nodes.ts";
import type { Reader } from "../read.ts";
import type { DocJSON, NodeJSON } from "../types.ts";
import { isEmptyParagraph } from "../write/list.ts";
import { shownAs } from "./plain-text.ts";
import { replaceInline } from "./replace-inline.ts";
import { placeBlocks } from "./splice.ts";
import { nodeAt, withChildren } from "./tree.ts";

/** A part of the text of one block, and the Markdown that comes in its place. */
export interface PlainEdit {
  readonly index: number;
  readonly path: readonly number[];
  readonly start: number;
  readonly oldText: string;
  readonly newText: string;
}

/** Returns a reader that knows the footnotes of the document, for one piece of text. */
export type NewReader = () => Reader;

/** Replaces parts of the text of blocks. The edits are in the reverse order of the document and do not overlap. */
export function replacePlain(doc: DocJSON, edits: readonly PlainEdit[], newReader: NewReader): DocJSON {
  let edited = doc;
  for (const edit of edits) edited = replaceOne(edited, edit, newReader);
  return edited;
}

function replaceOne(doc: DocJSON, edit: PlainEdit, newReader: NewReader): DocJSON {
  const { path, start, oldText, newText } = edit;
  const block = nodeAt(doc, path);
  if (block === undefined || newText === oldText) return doc;
  const parent = path.slice(0, -1);
  const index = path.at(-1) ?? 0;
  const nodes = block.content ?? NOTHING;
  if (block.type === "codeBlock") {
    const text = nodes.map(shownAs).join("");
    const edited = text.slice(0, start) + newText + text.slice(start + oldText.length);
    return withChildren(doc, path, edited === "" ? [] : [textNode(edited)]);
  }
  const isLine = block.type === "heading" || isCell(nodeAt(doc, parent));
  const replacement = readReplacement(oldText, newText, isLine, newReader);
  const paragraphs = split(trimmed(replaceInline(nodes, start, oldText.length, replacement), nodes));
  const [only = NOTHING] = paragraphs;
  if (paragraphs.length === 1 && (only.length > 0 || !canGo(nodeAt(doc, parent), index))) {
    return withChildren(doc, path, only);
  }
  const blocks = paragraphs.map((content) => ({ ...block, content })).filter((node) => !isEmptyParagraph(node));
  return placeBlocks(doc, parent, index, 1, blocks);
}

const isCell = (node: NodeJSON | undefined): boolean => node?.type.startsWith("table") ?? false;

// False where the parent needs its paragraph, and where an empty one is not written.
function canGo(parent: NodeJSON | undefined, index: number): boolean {
  if (parent?.content?.[index]?.type !== "paragraph" || parent.content.length === 1 || isCell(parent)) return false;
  const isItem = parent.type === "listItem" || parent.type === "taskItem";
  return !isItem || index > 0 || parent.content[1]?.type === "paragraph";
}

/** Stands between two paragraphs of a replacement. */
const BETWEEN: NodeJSON = { type: "paragraphEnd" };

function readReplacement(oldText: string, newText: string, isLine: boolean, newReader: NewReader): NodeJSON[] {
  // An old text of several lines is one with hard breaks, and so is the new one.
  const text = oldText.includes("\n") ? newText.replace(/\n(?!\s*\n)/g, "\\\n") : newText;
  const parts = text.split(/\n[ \t]*(?:\n[ \t]*)+/);
  const isText = !text.includes("\n") || parts.every((part) => isParagraph(part, newReader));
  if (!isText || (isLine && parts.length > 1)) {
    throw new CodecError("UNSUPPORTED", "Only text can replace a part of a line: give the old text as Markdown.");
  }
  return parts.flatMap((part, index) => {
    const nodes = newReader().readLine(part);
    return index === 0 ? nodes : [BETWEEN, ...nodes];
  });
}

function isParagraph(text: string, newReader: NewReader): boolean {
  if (text.trim() === "") return true;
  const [block, ...others] = newReader().read(text).content;
  return block?.type === "paragraph" && others.length === 0;
}

function split(nodes: NodeJSON[]): readonly NodeJSON[][] {
  const paragraphs: NodeJSON[][] = [[]];
  for (const node of nodes) {
    if (node.type === BETWEEN.type) paragraphs.push([]);
    else paragraphs.at(-1)?.push(node);
  }
  return paragraphs;
}

// White space that comes to stand at the edge of a block was between two words.
function trimmed(nodes: NodeJSON[], before: NodeJSON[]): NodeJSON[] {
  const out = [...nodes];
  const first = out[0];
  if (first?.type === "text" && !/^\s/.test(before[0]?.text ?? "")) {
    out[0] = { ...first, text: (first.text ?? "").trimStart() };
  }
  const last = out.at(-1);
  if (last?.type === "text" && !/\s$/.test(before.at(-1)?.text ?? "")) {
    out[out.length - 1] = { ...last, text: (last.text ?? "").trimEnd() };
  }
  return out.filter((node) => node.type !== "text" || node.text !== "");
}
