import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import type { TreeLevel, TreeNode } from "../src/client/api/contract.ts";
import { type Level, pageAt, pagesOf, restOf, withPage, withState } from "../src/client/tree/level-pages.ts";
import { forgetBehindRest, hideUnseenPages, keepTree, levelKey } from "../src/client/tree/level-queries.ts";
import { withNodes } from "../src/client/tree/levels.ts";

const node = (sortOrder: number, title = `Title ${sortOrder}`): TreeNode => ({
  id: `id ${sortOrder}`,
  parentId: null,
  title,
  emoji: null,
  state: "published",
  sortOrder,
  hasChildren: false,
  abilities: { edit: true, publish: true, delete: true },
});

/** Reads a page of 3 documents from a service that has these, as `documents.tree` does. */
function read(orders: readonly number[], cursor: string | undefined, title?: string): TreeLevel {
  const following = orders.filter((order) => cursor === undefined || order > Number(cursor));
  const shown = following.slice(0, 3);
  return {
    parentId: null,
    data: shown.map((order) => node(order, title)),
    nextCursor: following.length > shown.length ? String(shown.at(-1)) : null,
  };
}

/** Loads a level page by page. */
function loaded(orders: readonly number[], pages = Number.POSITIVE_INFINITY): Level {
  let level: Level = read(orders, undefined);
  for (let count = 1; count < pages; count += 1) {
    const rest = restOf(level);
    if (rest === undefined) break;
    level = withPage(level, rest, read(orders, rest.cursor));
  }
  return level;
}

/** Reads one page of a level again. */
function reread(level: Level, index: number, orders: readonly number[], title?: string): Level {
  const page = pagesOf(level)[index];
  if (page === undefined) throw new Error(`no page ${index}`);
  return withPage(level, page, read(orders, page.cursor, title));
}

const ordersOf = ({ data }: Level): number[] => data.map(({ sortOrder }) => sortOrder);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe("the pages of a level", () => {
  it("follow each other until the level is loaded", () => {
    const level = loaded(upTo(8));
    expect(ordersOf(level)).toEqual(upTo(8));
    expect(pagesOf(level).map(({ cursor }) => cursor)).toEqual([undefined, "3", "6"]);
    expect([level.nextCursor, restOf(level)]).toEqual([null, undefined]);
    expect(pageAt(level, node(3)).cursor).toBeUndefined();
    expect(pageAt(level, node(4)).cursor).toBe("3");
    expect(pageAt(level, node(99)).cursor).toBe("6");
  });

  it("are read again one at a time, and the others stay as they are", () => {
    const level = reread(loaded(upTo(9)), 1, upTo(9), "new");
    expect(level.data.map(({ title }) => title)).toEqual(upTo(9).map((n) => (n > 3 && n < 7 ? "new" : `Title ${n}`)));
    expect(pagesOf(level)).toHaveLength(3);
  });

  it("lose what has gone, also at the end of the level", () => {
    expect(ordersOf(reread(loaded(upTo(9)), 1, [1, 2, 3, 5, 7, 8, 9]))).toEqual([1, 2, 3, 5, 7, 8, 9]);
    const shorter = reread(loaded(upTo(9)), 1, [1, 2, 3, 5]);
    expect([ordersOf(shorter), pagesOf(shorter).length, shorter.nextCursor]).toEqual([[1, 2, 3, 5], 2, null]);
    expect(ordersOf(reread(loaded(upTo(9)), 0, []))).toEqual([]);
  });

  it("take in what has come, and push what no longer fits into a page of its own that is out of date", () => {
    const orders = [1, 2, 3, 3.1, 3.2, 4, 5, 6, 7, 8, 9];
    const level = reread(loaded(upTo(9)), 1, orders);
    expect(ordersOf(level)).toEqual(orders);
    expect(pagesOf(level).map(({ cursor, state }) => [cursor, state])).toEqual([
      [undefined, "fresh"],
      ["3", "fresh"],
      ["4", "stale"],
      ["6", "fresh"],
    ]);
    expect(
      ordersOf(
        reread(
          level,
          2,
          [...orders, 5.5].sort((one, other) => one - other),
        ),
      ),
    ).toContain(5.5);
  });

  it("end where more is to be loaded, and a level that was complete grows beyond its end", () => {
    const part = loaded(upTo(20), 2);
    expect(restOf(part)).toMatchObject({ cursor: "6", after: { sortOrder: 6 } });
    expect(restOf(reread(part, 1, [1, 2, 3, 3.5, ...upTo(20).slice(3)]))).toMatchObject({ cursor: "6" });
    expect(restOf(reread(part, 1, [1, 2, 3, 6, 7, 8, 9]))).toMatchObject({ cursor: "8" });
    const grown = reread(loaded(upTo(6)), 1, upTo(9));
    expect([ordersOf(grown), restOf(grown)?.cursor]).toEqual([upTo(6), "6"]);
  });

  it("continue before a document that stands far behind them, and never hold a document twice", () => {
    const start: Level = read(upTo(20), undefined);
    const opened = withNodes({ ...start, end: restOf(start)?.after }, [node(15)]);
    const rest = restOf(opened);
    if (rest === undefined) throw new Error("nothing to load");
    const more = withPage(opened, rest, read(upTo(20), rest.cursor));
    expect(ordersOf(more)).toEqual([1, 2, 3, 4, 5, 6, 15]);
    const moved: TreeLevel = { parentId: null, data: [{ ...node(2), id: "id 6" }], nextCursor: null };
    expect(withPage(loaded(upTo(6)), { cursor: undefined, after: undefined }, moved).data).toHaveLength(1);
  });

  it("keep their place when they are marked", () => {
    const marked = withState(loaded(upTo(20), 3), "hidden", ({ cursor }) => cursor !== "3");
    expect(pagesOf(marked).map(({ state }) => state)).toEqual(["hidden", "fresh", "hidden"]);
    expect(restOf(marked)?.cursor).toBe("9");
    expect(pagesOf(reread(marked, 2, upTo(20))).map(({ state }) => state)).toEqual(["hidden", "fresh", "fresh"]);
  });

  it("hold what the service has, after any changes, once all of them are read again", () => {
    let seed = 7;
    const random = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let run = 0; run < 300; run += 1) {
      const before = upTo(30).filter(() => random(3) > 0);
      const after = [...before, ...upTo(60).map((order) => order / 2)].filter(() => random(3) > 0);
      const now = [...new Set(after)].sort((one, other) => one - other);
      let level = withState(loaded(before, 1 + random(12)), "stale", () => true);
      for (let steps = 0; steps < 100; steps += 1) {
        const due = pagesOf(level).find(({ state }) => state === "stale") ?? restOf(level);
        if (due === undefined) break;
        level = withPage(level, due, read(now, due.cursor));
      }
      expect(ordersOf(level)).toEqual(now);
    }
  });
});

describe("documents behind the loaded part of a level", () => {
  const place = { collectionId: "c", parentId: null };
  const rows = (queries: QueryClient): (number | undefined)[] | undefined =>
    queries.getQueryData<Level>(levelKey(place))?.data.map(({ sortOrder }) => sortOrder);

  it("leave the tree with their event or when access changed; the loaded part and where it continues stay", () => {
    for (const forget of [
      (queries: QueryClient) => forgetBehindRest(queries, (id) => id === node(90).id || id === node(2).id),
      hideUnseenPages,
    ]) {
      const queries = new QueryClient();
      const level = { parentId: null, data: [node(1), node(2)], nextCursor: "after 2" };
      keepTree(queries, { collectionId: "c", path: [node(90)], levels: [level] });
      expect(rows(queries)).toEqual([1, 2, 90]);
      forget(queries);
      expect(rows(queries)).toEqual([1, 2]);
      const kept = queries.getQueryData<Level>(levelKey(place));
      expect(kept && restOf(kept)).toMatchObject({ cursor: "after 2", after: { sortOrder: 2 } });
      queries.clear();
    }
  });
});
