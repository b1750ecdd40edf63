import { Plugin } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";

const listeners = new WeakMap<EditorView, Set<() => void>>();

/** Calls a function whenever a view shows another state. Returns a function that ends it. */
export function onViewUpdate(view: EditorView, listener: () => void): () => void {
  const known = listeners.get(view) ?? new Set();
  listeners.set(view, known);
  known.add(listener);
  return () => void known.delete(listener);
}

/** Tells the listeners of `onViewUpdate`. */
export const viewUpdates = (): Plugin =>
  new Plugin({
    view: () => ({
      update: (view) => {
        for (const listener of listeners.get(view) ?? []) listener();
      },
    }),
  });
