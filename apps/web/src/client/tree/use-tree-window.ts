import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Row } from "./rows.ts";
import type { ServerTree } from "./server-tree.ts";
import { type Geometry, scrollAreaOf, useGeometry } from "./use-geometry.ts";
import { useKeepInPlace } from "./use-keep-in-place.ts";
import { firstScrollTop, type RowRange, rangeAt, windowOf } from "./window-of.ts";

/** The rows of the tree that are in the page. */
export type TreeWindow = {
  /** The rows, each with its distance from the one before, or from the top of the tree, in pixels. */
  readonly items: readonly { readonly index: number; readonly space: number }[];
  /** The height of all rows together, in pixels. */
  readonly height: number;
  readonly scrollTo: (index: number) => void;
};

type TreeWindowOptions = {
  /** The places of further rows that stay in the page, so that the focus does. */
  readonly always: readonly number[];
  /** The row of the page that is shown. */
  readonly currentKey: string | undefined;
  /** The rows that stay where they are on the screen when rows come or go above them, the most important first. */
  readonly kept: readonly (string | undefined)[];
  /** The tree in whose place this one comes. */
  readonly server?: ServerTree | undefined;
};

/** Keeps the rows in the page that the scrolled area around the tree shows. */
export function useTreeWindow(
  tree: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  { always, currentKey, kept, server }: TreeWindowOptions,
): TreeWindow {
  const geometry = useGeometry(tree, server?.geometry);
  const { rowHeight, margin } = geometry;
  useKeepInPlace(tree, rows, kept, geometry);
  // After what may have scrolled the area by the rows that came or went.
  const { range, place, read } = useRange(tree, rows, currentKey, { geometry, server });
  const scrollTo = useCallback(
    (index: number) => {
      const area = scrollAreaOf(tree.current);
      if (area === null) return;
      place(area);
      area.scrollTop = offsetInSight(area, index * rowHeight + margin, rowHeight);
      // The event of the scroll comes after the next picture.
      read();
    },
    [tree, rowHeight, margin, place, read],
  );
  // Where the reader had scrolled to stays on the screen.
  useShowCurrent(rows, currentKey, { scrollTo, isShown: server?.place !== undefined });
  return { items: windowOf(range, rows.length, always, rowHeight), height: rows.length * rowHeight, scrollTo };
}

type Shown = {
  /** The rows that are on the screen. */
  readonly range: RowRange;
  /** Scrolls the area to where it begins, once. */
  readonly place: (area: HTMLElement) => void;
  /** Looks for the rows again. */
  readonly read: () => void;
};

/** Returns the rows that are on the screen. A scroll renders them before it is drawn. */
function useRange(
  tree: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  currentKey: string | undefined,
  { geometry, server }: { readonly geometry: Geometry; readonly server: ServerTree | undefined },
): Shown {
  const { rowHeight, margin } = geometry;
  const height = server?.areaHeight ?? innerHeight;
  const [firstTop] = useState(() => firstScrollTop(rows, { currentKey, place: server?.place, height, ...geometry }));
  const [range, setRange] = useState(() => rangeAt(firstTop - margin, height, rowHeight));
  const isPlaced = useRef(false);
  const place = useCallback(
    (area: HTMLElement) => {
      // One that is hidden cannot be scrolled: it is placed when it is shown.
      if (area.clientHeight === 0) return;
      if (!isPlaced.current && firstTop > 0 && area.scrollTop === 0) area.scrollTop = firstTop;
      isPlaced.current = true;
    },
    [firstTop],
  );
  const read = useCallback(() => {
    const area = scrollAreaOf(tree.current);
    // One that is hidden shows the rows where it was when it comes back.
    if (area === null || area.clientHeight === 0) return;
    const next = rangeAt(area.scrollTop - margin, area.clientHeight, rowHeight);
    setRange((known) => (known.first === next.first && known.end === next.end ? known : next));
  }, [tree, rowHeight, margin]);
  useLayoutEffect(() => {
    // The observer reads at the beginning, after the first layout: now, that would be computed for it within the same task.
    if (isPlaced.current) read();
  }, [read, rows]);
  useLayoutEffect(() => {
    const area = scrollAreaOf(tree.current);
    if (area === null) return;
    const readNow = (): void => flushSync(read);
    const observer = new ResizeObserver(() => {
      place(area);
      readNow();
    });
    observer.observe(area);
    area.addEventListener("scroll", readNow, { passive: true });
    return () => {
      observer.disconnect();
      area.removeEventListener("scroll", readNow);
    };
  }, [tree, place, read]);
  return { range, place, read };
}

type Showing = { readonly scrollTo: (index: number) => void; readonly isShown: boolean };

/** Scrolls to the row of the page once it is in the tree, after each move to another page; at the beginning unless it `isShown`. */
function useShowCurrent(rows: readonly Row[], currentKey: string | undefined, { scrollTo, isShown }: Showing): void {
  const shownKey = useRef(isShown ? currentKey : undefined);
  useEffect(() => {
    if (currentKey === shownKey.current) return;
    const index = rows.findIndex(({ key }) => key === currentKey);
    if (index < 0) return;
    // With the next picture: now, a long page that has just come would be laid out for it within the same task.
    const frame = requestAnimationFrame(() => {
      shownKey.current = currentKey;
      flushSync(() => scrollTo(index));
    });
    return () => cancelAnimationFrame(frame);
  }, [rows, currentKey, scrollTo]);
}

/** Returns how far an area is scrolled so that a row is in it as a whole, by the shortest way. */
function offsetInSight({ scrollTop, clientHeight }: HTMLElement, start: number, height: number): number {
  return Math.max(start + height - clientHeight, Math.min(start, scrollTop));
}
