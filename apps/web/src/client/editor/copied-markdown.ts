import { serializeMarkdown } from "markdown-codec";
import { Fragment, type Node, type Slice } from "prosemirror-model";
import type { EditorView } from "prosemirror-view";
import { nodeType } from "./commands.ts";
import { schema } from "./schema.ts";

/** A selection of this size or more is written as Markdown before somebody copies it, while nobody presses a key. */
const large = 50_000;
/** How long a selection has to stand before that. */
const lastingMs = 200;

let prepared: { readonly slice: Slice; readonly text: string } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Writes what is selected as Markdown, if it is large, once the selection has not changed for a moment. */
export function prepare(view: EditorView): void {
  clearTimeout(timer);
  prepared = undefined;
  const { selection } = view.state;
  if (selection.to - selection.from < large) return;
  timer = setTimeout(() => {
    if (view.isDestroyed || view.state.selection.empty) return;
    const slice = view.state.selection.content();
    prepared = { slice, text: markdownOf(slice) };
  }, lastingMs);
}

/**
 * Returns what is copied as Markdown. Text of one block without any marks is copied as it is, so that a name or a command has no signs
 * before it, and so is code.
 */
export function markdownOf(slice: Slice): string {
  if (prepared?.slice.eq(slice)) return prepared.text;
  const block = lineOf(slice);
  if (block?.type.spec.code === true || (block !== null && isPlain(block))) return block.textContent;
  const content = block === null ? blocksOf(slice.content) : paragraphOf(block.content);
  try {
    return serializeMarkdown(schema.node("doc", null, content).toJSON()).replace(/\n$/, "");
  } catch {
    // The clipboard gets the text alone.
    return "";
  }
}

/** Returns the block of text that the selection is a part of, without what is around it; null for more than one. */
function lineOf({ content, openStart, openEnd }: Slice): Node | null {
  let node = content.childCount === 1 ? content.firstChild : null;
  if (node?.isInline) return paragraphOf(content);
  for (let depth = 1; node !== null; depth++) {
    if (depth > openStart || depth > openEnd) return null;
    if (node.isTextblock) return node;
    node = node.childCount === 1 ? node.firstChild : null;
  }
  return null;
}

const isPlain = (block: Node): boolean => block.children.every(({ isText, marks }) => isText && marks.length === 0);

const paragraphOf = (content: Fragment): Node => nodeType("paragraph").create(null, content);

/** Content that begins with pictures or words is a paragraph. */
const blocksOf = (content: Fragment): Fragment =>
  content.firstChild?.isInline === true ? Fragment.from(paragraphOf(content)) : content;
