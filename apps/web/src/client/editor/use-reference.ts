import type { EditorView } from "prosemirror-view";
import { useEffect, useMemo, useRef } from "react";
import { type Reference, referenceAt } from "./footnotes.ts";
import { type TrackedPlace, trackPlace } from "./tracked-places.ts";

/** The mouse is over a reference, or away from it, this long before something happens. */
const pauseMs = 250;

/** The reference under the mouse, until a key is pressed or it is forgotten: `read` returns where it is now, and null without one. */
type PointedReference = { readonly read: () => Reference | null; readonly forget: () => void };

/** Follows the mouse over the references of the text. */
export function useReferenceUnderMouse(view: EditorView): PointedReference {
  const place = useRef<TrackedPlace>(undefined);
  const hide = useRef((): void => undefined);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown: Element | null = null;
    const show = (element: Element | null): void => {
      const before = place.current;
      shown = element;
      place.current = undefined;
      if (view.isDestroyed) return;
      // Both changes of the view make the reader of this look again.
      before?.end();
      if (element === null || !view.dom.contains(element)) return;
      const at = view.posAtDOM(element, 0);
      place.current = trackPlace(view, at, at + 1);
    };
    const follow = ({ target, pointerType }: PointerEvent): void => {
      if (pointerType !== "mouse" || !(target instanceof Element)) return;
      clearTimeout(timer);
      if (target.closest("[data-note-popover]") !== null) return;
      const found = target.closest(".footnote-reference");
      if (found !== shown) timer = setTimeout(() => show(found), pauseMs);
    };
    hide.current = (): void => {
      clearTimeout(timer);
      if (shown !== null) show(null);
    };
    document.documentElement.addEventListener("pointerover", follow, { signal });
    addEventListener("keydown", hide.current, { capture: true, signal });
    return () => {
      ending.abort();
      hide.current();
    };
  }, [view]);
  return useMemo(() => {
    const read = (): Reference | null =>
      referenceAt(view.state.doc, place.current?.now()?.from ?? Number.POSITIVE_INFINITY);
    return { read, forget: () => hide.current() };
  }, [view]);
}
