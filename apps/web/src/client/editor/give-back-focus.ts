import type { EditorView } from "prosemirror-view";

/** Gives the text the focus of a field in it that somebody else removes: its writer goes on in the text. */
export function giveBackFocus(view: EditorView, field: Element): void {
  if (document.activeElement === field) queueMicrotask(() => view.isDestroyed || view.focus());
}
