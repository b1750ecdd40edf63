import "../src/client/style/main.css";
import { NodeSelection, Selection } from "prosemirror-state";
import { loadCopying } from "../src/client/editor/copying.ts";
import { loadFormulas } from "../src/client/editor/formula-view.ts";
import { schema } from "../src/client/editor/schema.ts";
import { type LocalEditor, showInEditor, writeInEditor } from "./editor-shown.ts";

let open: LocalEditor | undefined;

/** Opens a document, as JSON, in the editor, with the caret at its beginning. */
export async function openText(json: string): Promise<void> {
  open?.end();
  loadCopying();
  await loadFormulas(schema.nodeFromJSON(JSON.parse(json)));
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  open = writeInEditor(place, json);
  const { view } = open;
  view.dispatch(view.state.tr.setSelection(Selection.atStart(view.state.doc)));
  view.focus();
}

/** Shows a document, as JSON, in the editor to somebody who may not write. */
export async function openToRead(json: string): Promise<void> {
  open?.end();
  open = undefined;
  await loadFormulas(schema.nodeFromJSON(JSON.parse(json)));
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  showInEditor(place, json, false);
}

const editor = (): LocalEditor => {
  if (open === undefined) throw new Error("No text is open");
  return open;
};

/** Returns the document as JSON. */
export const contentNow = (): string => JSON.stringify(editor().view.state.doc);

/** Writes a word at the beginning of the text, as others do. */
export const writeFirst = (word: string): void => editor().receive(({ tr }) => tr.insertText(word, 1));

/** Changes the first formula as others do; without LaTeX it is removed. */
export function changeFormula(latex?: string): void {
  editor().receive(({ tr, doc }) => {
    let at = -1;
    doc.descendants(({ attrs }, position) => {
      if (at < 0 && "latex" in attrs) at = position;
    });
    return latex === undefined ? tr.delete(at, at + 1) : tr.setNodeAttribute(at, "latex", latex);
  });
}

/** Copies a block, and pastes it at the end of the text; returns what was copied as text. */
export function copyToEnd(block: number): string {
  const { view } = editor();
  const { doc, tr } = view.state;
  view.dispatch(tr.setSelection(NodeSelection.create(doc, doc.resolve(0).posAtIndex(block))));
  const clipboardData = new DataTransfer();
  const send = (kind: string): boolean =>
    view.dom.dispatchEvent(new ClipboardEvent(kind, { clipboardData, bubbles: true, cancelable: true }));
  send("copy");
  view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
  send("paste");
  return clipboardData.getData("text/plain");
}

/** Returns markup as the browser writes it. */
export function asWritten(html: string): string {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.innerHTML;
}

/** Returns the points of the other paragraphs at which the page shows a part of a formula. */
export function pointsOfFormulas(): string[] {
  const found: string[] = [];
  for (const paragraph of document.querySelectorAll("p:not(:has(math))")) {
    const { left, right, top, bottom } = paragraph.getBoundingClientRect();
    for (let x = left + 2; x < right; x += 6) {
      for (let y = top + 2; y < bottom; y += 6) {
        if (document.elementFromPoint(x, y)?.closest("math") != null) found.push(`${x} ${y}`);
      }
    }
  }
  return found;
}
