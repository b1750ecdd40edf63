import type { EditorView } from "prosemirror-view";
import { type RefObject, useEffect, useState } from "react";
import { onViewUpdate } from "./view-updates.ts";

type Point = { readonly left: number; readonly top: number };

/** Where the buttons of the row and the column of the caret are, in the element around the text. */
export type TablePlaces = { readonly row: Point; readonly column: Point };

/** The width and the height of a button. */
const sizePx = 24;

/** Returns where the buttons of the caret's cell belong, as the text is now; null without a table that can be written. */
export function useTablePlaces(view: EditorView, around: RefObject<HTMLElement | null>): TablePlaces | null {
  const [places, setPlaces] = useState<TablePlaces | null>(null);
  useEffect(() => {
    let frame = 0;
    const update = (): void => {
      frame = 0;
      const next = around.current === null || view.isDestroyed ? null : placesIn(view, around.current);
      setPlaces((known) => (JSON.stringify(known) === JSON.stringify(next) ? known : next));
    };
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(update);
    };
    const ending = new AbortController();
    const { signal } = ending;
    const endUpdates = onViewUpdate(view, later);
    // A wide table scrolls in its place.
    view.dom.addEventListener("scroll", later, { capture: true, passive: true, signal });
    addEventListener("resize", later, { signal });
    later();
    return () => {
      cancelAnimationFrame(frame);
      ending.abort();
      endUpdates();
    };
  }, [view, around]);
  return places;
}

/** The button of the row is at its end, that of the column above the table: both beside what is written. */
function placesIn(view: EditorView, around: HTMLElement): TablePlaces | null {
  const { node } = view.domAtPos(view.state.selection.head);
  const cell = (node instanceof Element ? node : node.parentElement)?.closest("td, th");
  const table = cell?.closest("table");
  const wide = table?.parentElement;
  const row = cell?.parentElement;
  if (!view.editable || cell == null || table == null || wide == null || row == null) return null;
  const origin = around.getBoundingClientRect();
  const shown = wide.getBoundingClientRect();
  const whole = table.getBoundingClientRect();
  const line = row.getBoundingClientRect();
  const box = cell.getBoundingClientRect();
  const left = Math.max(whole.left, shown.left);
  const right = Math.min(whole.right, shown.right);
  const end = getComputedStyle(table).direction === "rtl" ? left - sizePx : right;
  const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
  const inPage = within(end, 0, document.documentElement.clientWidth - sizePx);
  const middle = within((box.left + box.right - sizePx) / 2, left, right - sizePx);
  return {
    row: { left: inPage - origin.left, top: (line.top + line.bottom - sizePx) / 2 - origin.top },
    column: { left: middle - origin.left, top: whole.top - sizePx - origin.top },
  };
}
