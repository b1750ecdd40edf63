import { useEffect, useState } from "react";
import type { Geometry } from "./use-geometry.ts";

/** The tree of the server's page when the app took the page over. */
export type ServerTree = {
  readonly geometry: Geometry;
  /** The height of the area that scrolls, in pixels. */
  readonly areaHeight: number;
  /** Where the reader had scrolled it; undefined at the top. */
  readonly place: ScrollPlace | undefined;
};

/** A place to which the area around the tree is scrolled. */
export type ScrollPlace = {
  /** How far the area is scrolled, in pixels. */
  readonly scrollTop: number;
  /** The row at the top; undefined where what stands above the tree is there. */
  readonly key: string | undefined;
  /** How far the area is scrolled below the top of that row, in pixels. */
  readonly distance: number;
};

let measured: ServerTree | undefined;

/**
 * Measures the tree of the server's page, whose layout the browser knows. The app's tree stands at the same place: to measure that
 * within the task of the takeover would compute the layout of a page that is still to change.
 */
export function measureServerTree(): void {
  const area = document.querySelector<HTMLElement>("#kb-navigation");
  const rows = area?.querySelectorAll<HTMLAnchorElement>(".navigation-tree a");
  const first = rows?.[0];
  // A narrow window has no area.
  if (area === null || rows === undefined || first === undefined || area.clientHeight === 0) return;
  const { scrollTop, clientHeight: areaHeight } = area;
  const rowHeight = Number.parseFloat(getComputedStyle(first).minBlockSize);
  if (!(rowHeight > 0)) return;
  const margin = Math.round(first.getBoundingClientRect().top - area.getBoundingClientRect().top + scrollTop);
  const index = Math.floor((scrollTop - margin) / rowHeight);
  const key = index < 0 ? undefined : rows[index]?.pathname.split("/")[2];
  const distance = scrollTop - margin - index * rowHeight;
  const place = scrollTop > 0 ? { scrollTop, key, distance } : undefined;
  measured = { geometry: { rowHeight, margin }, areaHeight, place };
}

/** Returns the tree of the server's page if this one comes in its place. A tree that comes later stands elsewhere. */
export function useServerTree(): ServerTree | undefined {
  const [tree] = useState(measured);
  useEffect(() => {
    measured = undefined;
  }, []);
  return tree;
}
