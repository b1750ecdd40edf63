import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import type { Row } from "./rows.ts";
import { scrollAreaOf, useGeometry } from "./use-geometry.ts";
import { useKeepInPlace } from "./use-keep-in-place.ts";

/** Rows above and below the screen that are in the page too. */
const overscan = 6;

/** The rows of the tree that are in the page. */
export type TreeWindow = {
  readonly items: readonly { readonly index: number; readonly start: number }[];
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
};

/** Keeps the rows in the page that the scrolled area around the tree shows. */
export function useTreeWindow(
  tree: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  { always, currentKey, kept }: TreeWindowOptions,
): TreeWindow {
  const geometry = useGeometry(tree);
  const { rowHeight, margin } = geometry;
  // Another function would measure every row again.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollAreaOf(tree.current),
    estimateSize: () => rowHeight,
    getItemKey,
    overscan,
    scrollMargin: margin,
    initialRect: { width: 256, height: innerHeight },
    initialOffset: () => firstOffset(rows, currentKey, rowHeight),
    rangeExtractor: (range) => {
      const further = always.filter((index) => index >= 0 && index < rows.length);
      return [...new Set([...defaultRangeExtractor(range), ...further])].sort((one, other) => one - other);
    },
  });
  // A change of the row's height, such as another size of text, moves every row.
  useLayoutEffect(() => virtualizer.measure(), [rowHeight]);
  const scrollTo = useCallback(
    (index: number) => {
      if (!isInSight(scrollAreaOf(tree.current), index * rowHeight + margin, rowHeight)) {
        virtualizer.scrollToIndex(index, { align: "auto" });
      }
    },
    [virtualizer, tree, rowHeight, margin],
  );
  useKeepInPlace(tree, rows, kept, geometry);
  useShowCurrent(rows, currentKey, scrollTo);
  return {
    items: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, start: start - margin })),
    height: virtualizer.getTotalSize(),
    scrollTo,
  };
}

/**
 * Returns how far the area is scrolled at the beginning: so far that a row of the page which is far down stands in the middle.
 * Scrolled there later, all rows would be rendered twice.
 */
function firstOffset(rows: readonly Row[], currentKey: string | undefined, rowHeight: number): number {
  const top = rowHeight * rows.findIndex(({ key }) => key === currentKey);
  return top < innerHeight / 2 ? 0 : top - innerHeight / 4;
}

/** Scrolls to the row of the page once it is in the tree, after each move to another page. */
function useShowCurrent(rows: readonly Row[], currentKey: string | undefined, scrollTo: (index: number) => void): void {
  const shownKey = useRef<string>(undefined);
  useEffect(() => {
    if (currentKey === shownKey.current) return;
    const index = rows.findIndex(({ key }) => key === currentKey);
    if (index < 0) return;
    // With the next picture: now, a long page that has just come would be laid out for it within the same task.
    const frame = requestAnimationFrame(() => {
      shownKey.current = currentKey;
      scrollTo(index);
    });
    return () => cancelAnimationFrame(frame);
  }, [rows, currentKey, scrollTo]);
}

/** Returns whether a row is on the screen as a whole: nothing needs to scroll, nor to be asked of the virtualizer. */
const isInSight = (area: HTMLElement | null, start: number, height: number): boolean =>
  area !== null && start >= area.scrollTop && start + height <= area.scrollTop + area.clientHeight;
