import { closeHistory } from "prosemirror-history";
import { Fragment, type Node, Slice } from "prosemirror-model";
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
  const { tr } = view.state;
  const isCode = view.state.selection.$from.parent.type.spec.code === true;
  if (isCode) tr.insertText(text);
  else tr.replaceSelection(new Slice(Fragment.from(paragraphsOf(text)), 1, 1));
  view.dispatch(closeHistory(tr.scrollIntoView()));
  view.focus();
  // A session that does not take the change leaves the document as it was.
  return !view.state.doc.eq(before);
}

/** The name of the request for each text: when an answer is lost, the next attempt makes no second draft. */
const keys = new Map<string, string>();

/** Saves text without a place as a new draft in a collection; returns its id. @throws {Failure} */
export async function saveAsDraft(collectionId: string, title: string, text: string): Promise<string> {
  const name = `${collectionId} ${title} ${text}`;
  const idempotencyKey = keys.get(name) ?? randomKey();
  keys.set(name, idempotencyKey);
  const content = documentOf(text);
  const { id } = await call("documents.create", { collectionId, title, content, after: null }, { idempotencyKey });
  keys.delete(name);
  return id;
}

/** Returns text as a document: what looks like Markdown stays as it was typed. */
function documentOf(text: string): { readonly [name: string]: unknown } {
  const content = paragraphsOf(text).map((node) => node.toJSON());
  return { type: "doc", content };
}
