import { closeHistory } from "prosemirror-history";
import { Fragment, type Node, Slice } from "prosemirror-model";
import { type EditorState, TextSelection, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { randomKey } from "../actions/create.ts";
import { call } from "../api/call.ts";
import { nodeType } from "./commands.ts";
import { schema } from "./schema.ts";

/** Returns text as paragraphs, one for each line. */
function paragraphsOf(text: string): Node[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => nodeType("paragraph").create(null, schema.text(line)));
}

/**
 * Inserts text without a place at the caret, which undo takes back. Returns false where the document does not take it: it can only be
 * read, or is not open any more.
 */
export function insertAtCaret(view: EditorView, text: string): boolean {
  if (view.isDestroyed || !view.editable) return false;
  const before = view.state.doc;
  view.dispatch(closeHistory(insertionOf(view.state, text)));
  view.focus();
  // A session that does not take the change leaves the document as it was.
  return !view.state.doc.eq(before);
}

/** Returns what inserts text at the caret, or behind what is selected, which stays. Each line of it is a paragraph. */
export function insertionOf({ tr, selection }: EditorState, text: string): Transaction {
  const { pos, parent } = selection.$to;
  const paragraphs = Fragment.from(paragraphsOf(text));
  if (!parent.isTextblock) return tr.replaceRange(pos, pos, new Slice(paragraphs, 0, 0)).scrollIntoView();
  tr.setSelection(TextSelection.create(tr.doc, pos));
  if (parent.type.spec.code === true) tr.insertText(text);
  else tr.replaceSelection(new Slice(paragraphs, 1, 1));
  return tr.scrollIntoView();
}

/** The content of a document, as JSON. */
type Content = { readonly [name: string]: unknown };

/** The name of the request for each draft: when an answer is lost, the next attempt makes no second one. */
const keys = new Map<string, string>();

/** Saves a new draft in a collection; returns its id. @throws {Failure} */
export async function saveAsDraft(collectionId: string, title: string, content: Content): Promise<string> {
  const name = JSON.stringify([collectionId, title, content]);
  const idempotencyKey = keys.get(name) ?? randomKey();
  keys.set(name, idempotencyKey);
  const { id } = await call("documents.create", { collectionId, title, content, after: null }, { idempotencyKey });
  keys.delete(name);
  return id;
}

/** Returns text as a document: what looks like Markdown stays as it was typed. The spaces between it and the text around it are gone. */
export function documentOf(text: string): Content {
  const content = paragraphsOf(text.trim()).map((node) => node.toJSON());
  return { type: "doc", content };
}
