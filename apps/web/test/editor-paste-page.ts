import type { Node } from "prosemirror-model";
import { Selection, TextSelection } from "prosemirror-state";
import { type LocalEditor, writeInEditor } from "./editor-shown.ts";

const empty = JSON.stringify({ type: "doc", content: [{ type: "paragraph" }] });
let open: LocalEditor | undefined;

/**
 * Pastes what is on a clipboard into a document, as JSON, at its end, or before a text, or over all from that text to before another.
 * Returns the document as JSON once it has changed.
 */
export async function paste(
  clipboard: Readonly<Record<string, string>>,
  json = empty,
  text?: string,
  until = text,
): Promise<string> {
  open?.end();
  const place = document.createElement("div");
  document.body.replaceChildren(place);
  open = writeInEditor(place, json);
  const { view } = open;
  const unchanged = view.state.doc;
  const { tr, doc } = view.state;
  view.dispatch(tr.setSelection(text === undefined ? Selection.atEnd(doc) : between(doc, text, until ?? text)));
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(clipboard)) clipboardData.setData(type, text);
  view.dom.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  // Markdown is read by a module that loads.
  while (view.state.doc.eq(unchanged)) await new Promise(requestAnimationFrame);
  return JSON.stringify(view.state.doc);
}

const between = (doc: Node, text: string, until: string): Selection =>
  TextSelection.create(doc, placeOf(doc, text), placeOf(doc, until));

function placeOf(doc: Node, text: string): number {
  let place = 0;
  doc.descendants((node, position) => {
    if (node.isText && node.text?.includes(text)) place ||= position + node.text.indexOf(text);
  });
  return place;
}
