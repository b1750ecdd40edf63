import { Selection } from "prosemirror-state";
import { type LocalEditor, writeInEditor } from "./editor-shown.ts";

const empty = JSON.stringify({ type: "doc", content: [{ type: "paragraph" }] });
let open: LocalEditor | undefined;

/** Opens a document, as JSON, to be written; the caret is at its end. */
export function openText(json = empty): void {
  open?.end();
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  open = writeInEditor(place, json);
  const { view } = open;
  view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
  view.focus();
}

const editor = (): LocalEditor => {
  if (open === undefined) throw new Error("No text is open");
  return open;
};

/** Writes a word into one of the blocks, as others do: it waits while an input method writes. `where` is from 0 to 1. */
export function writeAsOther(where: number, word: string): void {
  editor().receive(({ tr, doc }) => {
    const places: number[] = [];
    doc.descendants((node, position) => {
      if (node.isTextblock) places.push(position + 1);
      return !node.isTextblock;
    });
    const place = places[Math.floor(where * places.length)] ?? 1;
    return tr.insertText(word, place).setMeta("addToHistory", false);
  });
}

/** Pastes text or HTML at the caret. */
export function pasteAtCaret(type: string, text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData(type, text);
  editor().view.dom.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}

/** Returns the document as JSON, and how it is shown now and how it would be shown at once; they have to be the same. */
export function readText(): { readonly json: string; readonly shown: string; readonly expected: string } {
  const { view } = editor();
  view.state.doc.check();
  const json = JSON.stringify(view.state.doc);
  const place = document.createElement("div");
  document.body.append(place);
  const fresh = writeInEditor(place, json);
  const expected = elementsOf(fresh.view.dom);
  fresh.end();
  place.remove();
  return { json, shown: elementsOf(view.dom), expected };
}

/** The elements of a text without what depends on the caret: what is selected, unfolded, or needs a place for it. */
function elementsOf(dom: HTMLElement): string {
  const copy = dom.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(
    "img.ProseMirror-separator, br.ProseMirror-trailingBreak, .ProseMirror-gapcursor",
  )) {
    element.remove();
  }
  for (const element of copy.querySelectorAll<HTMLElement>("*")) {
    element.classList.remove("ProseMirror-selectednode", "selectedCell");
    if (element.className === "") element.removeAttribute("class");
    for (const name of ["open", "draggable", "style", "rows"]) element.removeAttribute(name);
  }
  copy.normalize();
  return copy.innerHTML;
}
