import { newId } from "@kb/db";
import type { Existing, ExistingDocument } from "./existing.ts";
import type { Page } from "./tree.ts";

/** A page with the document that it becomes. */
export type Placed = {
  readonly page: Page;
  readonly id: string;
  readonly parentId: string | null;
  readonly position: number;
  /** The document of an earlier import; undefined for a new one. */
  readonly existing: ExistingDocument | undefined;
};

/** The facts about the files that a plan uses. */
export type PageTitles = {
  readonly titleOf: (page: Page) => string;
  /** The title under which an earlier release imported a page, where it differs. */
  readonly formerTitleOf: (page: Page) => string | undefined;
  /** Whether the file of a page cannot be imported. */
  readonly isSkipped: (page: Page) => boolean;
};

/**
 * Decides which document each page becomes, level by level, parents first. A page whose file cannot be imported becomes
 * the empty parent of its children, if it has some.
 */
export function placedPages(pages: readonly Page[], existing: Existing, titles: PageTitles): readonly Placed[][] {
  const levels: Placed[][] = [];
  let level = place(null, pages, existing, titles);
  while (level.length > 0) {
    levels.push(level);
    level = level.flatMap(({ id, page }) => place(id, page.children, existing, titles));
  }
  return levels;
}

function place(parentId: string | null, pages: readonly Page[], existing: Existing, titles: PageTitles): Placed[] {
  return pages.flatMap((page, position): Placed[] => {
    const isSkipped = titles.isSkipped(page);
    if (isSkipped && page.children.length === 0) return [];
    const kept = isSkipped ? { ...page, file: null } : page;
    const former = titles.formerTitleOf(kept);
    const found =
      existing.take(parentId, titles.titleOf(kept), position) ??
      (former === undefined ? undefined : existing.take(parentId, former, position));
    return [{ page: kept, id: found?.id ?? newId(), parentId, position, existing: found }];
  });
}
