import { Selection } from "prosemirror-state";
import { type LocalEditor, writeInEditor } from "./editor-shown.ts";

const empty = JSON.stringify({ type: "doc", content: [{ type: "paragraph" }] });
let open: LocalEditor | undefined;

/** Pastes what is on a clipboard into a document, as JSON, at its end. Returns the document as JSON once it has changed. */
export async function paste(clipboard: Readonly<Record<string, string>>, json = empty): Promise<string> {
  open?.end();
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  open = writeInEditor(place, json);
  const { view } = open;
  const before = view.state.doc;
  const { tr, doc } = view.state;
  view.dispatch(tr.setSelection(Selection.atEnd(doc)));
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(clipboard)) clipboardData.setData(type, text);
  view.dom.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  // Markdown is read by a module that loads.
  while (view.state.doc.eq(before)) await new Promise(requestAnimationFrame);
  return JSON.stringify(view.state.doc);
}
