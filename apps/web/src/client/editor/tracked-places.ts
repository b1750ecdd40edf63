import { Plugin, PluginKey } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";

type Place = { readonly id: number; readonly from: number; readonly to: number };
type Change = (places: readonly Place[]) => readonly Place[];

/** A part of the text that something waits for, wherever it moves. */
export type TrackedPlace = {
  /** Returns where it is now: an empty range once it was deleted. Null in a view that does not follow places. */
  readonly now: () => { readonly from: number; readonly to: number } | null;
  /** Forgets it. */
  readonly end: () => void;
};

const none: readonly Place[] = [];
const key = new PluginKey<readonly Place[]>("places");
let lastId = 0;

/** Knows where places are after changes by anybody. */
export const trackingPlaces = (): Plugin =>
  new Plugin<readonly Place[]>({
    key,
    state: {
      init: () => none,
      apply: (transaction, known) => {
        const isMoved = transaction.docChanged && known.length > 0;
        const moved = isMoved ? known.map((place) => move(place, transaction.mapping)) : known;
        const change: Change | undefined = transaction.getMeta(key);
        return change === undefined ? moved : change(moved);
      },
    },
  });

/** What is written at the edges of a text is not a part of it; a point stays before it. */
function move({ id, from, to }: Place, mapping: { readonly map: (position: number, side: number) => number }): Place {
  const start = mapping.map(from, from === to ? -1 : 1);
  return { id, from: start, to: Math.max(start, mapping.map(to, -1)) };
}

/** Follows a part of the text, or a point of it. */
export function trackPlace(view: EditorView, from: number, to: number = from): TrackedPlace {
  lastId += 1;
  const id = lastId;
  const change = (next: Change): void => view.dispatch(view.state.tr.setMeta(key, next));
  change((places) => [...places, { id, from, to }]);
  return {
    now: () => key.getState(view.state)?.find((place) => place.id === id) ?? null,
    end: () => {
      if (!view.isDestroyed) change((places) => places.filter((place) => place.id !== id));
    },
  };
}
