import "../src/client/style/main.css";
import { Selection, TextSelection } from "prosemirror-state";
import { type LocalEditor, writeInEditor } from "./editor-shown.ts";

let open: LocalEditor | undefined;

const editor = (): LocalEditor => {
  if (open === undefined) throw new Error("No text is open");
  return open;
};

/** Opens a document, as JSON, in the editor, with the caret at its beginning. */
export function openText(json: string): void {
  open?.end();
  const place = document.createElement("div");
  const button = document.createElement("button");
  button.textContent = "Behind the text";
  document.body.replaceChildren(place, button);
  open = writeInEditor(place, json);
  const { view } = open;
  view.dispatch(view.state.tr.setSelection(Selection.atStart(view.state.doc)));
  view.focus();
}

/** Returns the document as JSON. */
export const contentNow = (): string => JSON.stringify(editor().view.state.doc);

/** Returns where a passage begins. */
function placeOf(passage: string): number {
  let at = -1;
  editor().view.state.doc.descendants((node, position) => {
    const index = node.isText ? (node.text?.indexOf(passage) ?? -1) : -1;
    if (at < 0 && index >= 0) at = position + index;
  });
  return at;
}

/** Puts the caret before a passage of the text, or selects to before another one. */
export function caretBefore(passage: string, other = passage): void {
  const { view } = editor();
  const { doc, tr } = view.state;
  view.dispatch(tr.setSelection(TextSelection.create(doc, placeOf(passage), placeOf(other))));
  view.focus();
}

/** Writes before a passage, as others do. */
export const writeBefore = (passage: string, text: string): void =>
  editor().receive(({ tr }) => tr.insertText(text, placeOf(passage)));

/** Changes whether readers can fold the first block, as others do. */
export const changeFolded = (folded: boolean | null): void =>
  editor().receive(({ tr }) => tr.setNodeAttribute(0, "folded", folded));

/** Returns the directions that the blocks of text say, in their order. */
export const directions = (): (string | null)[] =>
  [...editor().view.dom.querySelectorAll(".content :is(p, pre)")].map((block) => block.getAttribute("dir"));

/** Returns the colored texts of the page, by the groups of their colors, in their order. */
export function colored(): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  for (const [group, ranges] of CSS.highlights) {
    const inOrder = [...ranges].sort((one, other) => (isBefore(one, other) ? -1 : 1));
    if (inOrder.length > 0) texts[group] = inOrder.map(String);
  }
  return texts;
}

const isBefore = (one: AbstractRange, other: AbstractRange): boolean =>
  one.startContainer === other.startContainer
    ? one.startOffset < other.startOffset
    : (one.startContainer.compareDocumentPosition(other.startContainer) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;

/** Returns the number of characters in the blocks that have colors. */
export function coloredLength(): number {
  const blocks = new Set(
    [...CSS.highlights.values()].flatMap((ranges) => [...ranges].map((range) => range.startContainer)),
  );
  return [...blocks].reduce((sum, { nodeValue }) => sum + (nodeValue?.length ?? 0), 0);
}
