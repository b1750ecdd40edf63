import type { TreeNode } from "../api/contract.ts";
import { type Level, type LevelPage, pageAt } from "./level-pages.ts";
import type { LevelPlace } from "./rows.ts";

/** Documents of one level that are on the screen. */
export type ShownLevel = { readonly place: LevelPlace; readonly nodes: readonly TreeNode[] };

/** The most pages of a level that are read again at once. */
const mostPages = 3;

const viewers = new Map<object, readonly ShownLevel[]>();

/** Records what a list shows. */
export function recordShown(viewer: object, shown: readonly ShownLevel[]): void {
  viewers.set(viewer, shown);
}

/** Forgets a list that has left the screen. */
export function forgetShown(viewer: object): void {
  viewers.delete(viewer);
}

/** Returns the pages of a level of which documents are on the screen: at most 3, those with the most of them first. */
export function shownPages(level: Level, { collectionId, parentId }: LevelPlace): LevelPage[] {
  const rowsOfPage = new Map<LevelPage, number>();
  for (const { place, nodes } of [...viewers.values()].flat()) {
    if (place.collectionId !== collectionId || place.parentId !== parentId) continue;
    for (const node of nodes) {
      const page = pageAt(level, node);
      rowsOfPage.set(page, (rowsOfPage.get(page) ?? 0) + 1);
    }
  }
  const pages = [...rowsOfPage].sort(([, one], [, other]) => other - one).map(([page]) => page);
  return pages.slice(0, mostPages);
}
