import type { Node } from "prosemirror-model";
import { type EditorState, Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { foldLabel } from "./input-rules.ts";
import { type TrackedPlace, trackPlace } from "./tracked-places.ts";

/** A reference to a footnote: where it stands, and the label of the note. */
export type Reference = { readonly at: number; readonly label: string };

/** Returns the reference at a position; null for anything else. */
export function referenceAt(doc: Node, at: number): Reference | null {
  const node = at < doc.content.size ? doc.nodeAt(at) : null;
  return node?.type.name === "footnoteReference" ? { at, label: String(node.attrs.label) } : null;
}

/** Returns the reference that is selected, as a node or as text: browsers make the one of the other. Null for anything else. */
export const selectedReference = ({ doc, selection: { from, to } }: EditorState): Reference | null =>
  to === from + 1 ? referenceAt(doc, from) : null;

/** Returns the footnote with a label, and where it begins; null where the document has none. */
export function findNote(doc: Node, label: string): { readonly at: number; readonly note: Node } | null {
  const found: { readonly at: number; readonly note: Node }[] = [];
  doc.descendants((note, at) => {
    if (isNote(note, label)) found.push({ at, note });
    return !note.isTextblock;
  });
  return found[0] ?? null;
}

const isNote = ({ type, attrs }: Node, label: string): boolean =>
  type.name === "footnoteDefinition" && foldLabel(String(attrs.label)) === foldLabel(label);

/** The reference from which the writer came to a footnote, wherever it moves. */
type Way = { readonly label: string; readonly reference: TrackedPlace };

const ways = new WeakMap<EditorView, Way>();

/** Puts the caret at the end of a reference's footnote; returns false where the document has none. */
export function goToNote(view: EditorView, { at, label }: Reference): boolean {
  const found = findNote(view.state.doc, label);
  if (found === null) return false;
  ways.get(view)?.reference.end();
  ways.set(view, { label, reference: trackPlace(view, at, at + 1) });
  const end = view.state.doc.resolve(found.at + found.note.nodeSize - 1);
  view.dispatch(view.state.tr.setSelection(Selection.near(end, -1)).scrollIntoView());
  return true;
}

/** Returns where the footnote of the caret begins, if the writer came to it from a reference; null otherwise. */
export function cameTo(view: EditorView): number | null {
  const label = ways.get(view)?.label;
  const { $from } = view.state.selection;
  for (let depth = $from.depth; label !== undefined && depth > 0; depth--) {
    if (isNote($from.node(depth), label)) return $from.before(depth);
  }
  return null;
}

/** Puts the caret behind the reference from which the writer came to the footnote of the caret; returns false for another one. */
export function goBack(view: EditorView): boolean {
  const place = cameTo(view) === null ? null : ways.get(view)?.reference.now();
  if (place == null) return false;
  ways.get(view)?.reference.end();
  ways.delete(view);
  const { doc, tr } = view.state;
  view.dispatch(tr.setSelection(Selection.near(doc.resolve(place.to), -1)).scrollIntoView());
  return true;
}

/** Does what a key does at a reference, or in its footnote. */
export function pressAtNote(view: EditorView, event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (ctrlKey || metaKey || altKey || shiftKey || view.composing) return false;
  const reference = key === "Enter" ? selectedReference(view.state) : null;
  if (reference !== null) return goToNote(view, reference);
  // Tab after it leaves the text all the same.
  if (key === "Escape") goBack(view);
  return false;
}
