import type { TreeLevel, TreeNode } from "../api/contract.ts";
import { compareNodes } from "./levels.ts";

/** A place in the order of siblings. */
export type Position = Pick<TreeNode, "sortOrder" | "id">;

/** Where a page of a level begins. */
export type PageStart = {
  /** Continues the level here; undefined at its beginning. */
  readonly cursor: string | undefined;
  /** The last place before the page; undefined at the beginning. */
  readonly after: Position | undefined;
};

/** A page in which documents of a level were loaded. */
export type LevelPage = PageStart & {
  /** `stale`: it may have changed. `hidden`: it is not shown before it is read again, because access may have changed. */
  readonly state: "fresh" | "stale" | "hidden";
};

/** A level with the pages in which it was loaded. Without them it is one page. */
export type Level = TreeLevel & {
  readonly pages?: readonly LevelPage[];
  /** Where `nextCursor` continues: documents behind it stand there because the tree was opened at them. */
  readonly end?: Position | undefined;
};

const firstPage: LevelPage = { cursor: undefined, after: undefined, state: "fresh" };

/** Returns the pages of a level, in their order. */
export const pagesOf = ({ pages }: Level): readonly LevelPage[] => pages ?? [firstPage];

/** Returns where the part of a level that is not loaded begins; undefined if all of it is. */
export function restOf({ nextCursor, end, data }: Level): PageStart | undefined {
  return nextCursor === null ? undefined : { cursor: nextCursor, after: end ?? data.at(-1) };
}

/** Returns whether a document stands behind the loaded part of its level, because the tree was opened at it. */
export function isBehindRest(level: Level, position: Position): boolean {
  const after = restOf(level)?.after;
  return after !== undefined && compareNodes(position, after) > 0;
}

/** Returns the page in which a document stands. */
export function pageAt(level: Level, position: Position): LevelPage {
  return pagesOf(level).findLast((page) => isBehind(position, page)) ?? firstPage;
}

/**
 * Puts a page that was read into its level: it replaces the documents from its start to its own end. Places are compared by
 * order and id, so a page fits where siblings came or went since its cursor was made.
 */
export function withPage(level: Level, start: PageStart, page: TreeLevel): Level {
  const last = page.nextCursor === null ? undefined : page.data.at(-1);
  const read = new Set(page.data.map(({ id }) => id));
  const isKept = (node: TreeNode): boolean =>
    !read.has(node.id) && !(isBehind(node, start) && (last === undefined || compareNodes(node, last) <= 0));
  const data = [...level.data.filter(isKept), ...page.data].sort(compareNodes);
  const before = pagesOf(level).filter(({ after }) => start.after !== undefined && isBefore(after, start.after));
  const fresh: LevelPage = { cursor: start.cursor, after: start.after, state: "fresh" };
  if (last === undefined) {
    return { ...level, data, pages: [...before, fresh], nextCursor: null, end: undefined };
  }
  const behind = pagesOf(level).filter(({ after }) => after !== undefined && compareNodes(after, last) >= 0);
  const rest = restOf(level);
  const knownRest = rest?.after !== undefined && compareNodes(rest.after, last) >= 0 ? rest : undefined;
  const next: LevelPage = { cursor: page.nextCursor ?? undefined, after: last, state: "stale" };
  const following = behind[0] ?? knownRest;
  // Siblings that came since push the last ones of the page behind it: they become a page of their own.
  const between = following?.after === undefined || compareNodes(following.after, last) === 0 ? [] : [next];
  const newRest = following === undefined ? next : knownRest;
  return {
    ...level,
    data,
    pages: [...before, fresh, ...between, ...behind],
    nextCursor: newRest?.cursor ?? null,
    end: newRest?.after,
  };
}

/** Marks pages of a level; `isMarked` selects them. */
export function withState(level: Level, state: LevelPage["state"], isMarked: (page: LevelPage) => boolean): Level {
  const pages = pagesOf(level).map((page) => (isMarked(page) ? { ...page, state } : page));
  return { ...level, end: restOf(level)?.after, pages };
}

const isBehind = (position: Position, { after }: PageStart): boolean =>
  after === undefined || compareNodes(position, after) > 0;

const isBefore = (one: Position | undefined, other: Position): boolean =>
  one === undefined || compareNodes(one, other) < 0;
