import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Row } from "./rows.ts";
import { type Geometry, scrollAreaOf } from "./use-geometry.ts";

/**
 * Keeps a row where it is on the screen while rows come or go above it, such as those of a level that was awaited: of the rows with
 * `keys` the first that is on the screen, else the one at the top of it.
 */
export function useKeepInPlace(
  tree: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  keys: readonly (string | undefined)[],
  { rowHeight, margin }: Geometry,
): void {
  const shown = useRef(rows);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = rows;
    const area = scrollAreaOf(tree.current);
    // Among as many rows as before one was moved: it is shown at its new place.
    if (area === null || before.length === rows.length) return;
    const first = Math.max(0, Math.ceil((area.scrollTop - margin) / rowHeight));
    const end = Math.floor((area.scrollTop + area.clientHeight - margin) / rowHeight);
    const distance = distanceMoved(before, rows, keptFirst(before.slice(first, end), keys));
    if (distance !== 0) area.scrollTop += distance * rowHeight;
  }, [rows]);
}

/** Returns the rows that may be kept in place, the most important first. At the top, a gap makes way for the rows that it stands for. */
function keptFirst(inSight: readonly Row[], keys: readonly (string | undefined)[]): Row[] {
  const named = keys.flatMap((wanted) => inSight.find(({ key }) => key === wanted) ?? []);
  return inSight[0]?.kind === "item" ? [...named, inSight[0]] : named;
}

/** Returns the number of rows by which the first of `kept` that is still in its level was pushed down. */
function distanceMoved(before: readonly Row[], rows: readonly Row[], kept: readonly Row[]): number {
  for (const row of kept) {
    const index = rows.findIndex(({ key, parentKey }) => key === row.key && parentKey === row.parentKey);
    if (index >= 0) return index - before.indexOf(row);
  }
  return 0;
}
