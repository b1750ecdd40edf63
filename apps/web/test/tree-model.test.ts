import { describe, expect, it } from "vitest";
import type { Target } from "../src/client/actions/target.ts";
import type { BootCollection, TreeLevel, TreeNode } from "../src/client/api/contract.ts";
import { dropPlace, zoneAt } from "../src/client/tree/drop-place.ts";
import { effectOfKey, rowOfTyped } from "../src/client/tree/keys.ts";
import type { Level } from "../src/client/tree/level-pages.ts";
import { withNodeAfter } from "../src/client/tree/levels.ts";
import { placeBeside } from "../src/client/tree/move.ts";
import { type ItemRow, type Row, rowsOf } from "../src/client/tree/rows.ts";

const node = (id: string, parentId: string | null, sortOrder: number, hasChildren = false): TreeNode => ({
  id,
  parentId,
  title: `Title ${id}`,
  emoji: null,
  state: "published",
  sortOrder,
  hasChildren,
  abilities: { edit: true, publish: true, delete: true },
});
const collection = (id: string, createDocument = true): BootCollection => ({
  id,
  name: `Collection ${id}`,
  icon: null,
  color: null,
  sortOrder: 0,
  archivedAt: null,
  documentCount: 3,
  abilities: { createDocument, publish: true, edit: false, manage: false },
});
const levels: Record<string, TreeLevel> = {
  "one,": { parentId: null, data: [node("a", null, 1, true), node("b", null, 2)], nextCursor: null },
  "one,a": { parentId: "a", data: [node("c", "a", 1)], nextCursor: "next" },
};
/** The first two documents of a level, and one far behind them. */
const openedAt: Level = {
  parentId: null,
  data: [node("a", null, 1), node("b", null, 2), node("z", null, 900)],
  nextCursor: "next",
  end: { sortOrder: 2, id: "b" },
};
const levelAt = ({ collectionId, parentId }: { collectionId: string; parentId: string | null }) =>
  levels[[collectionId, parentId].join()];
const rowsWith = (...open: string[]): Row[] =>
  rowsOf({ collections: [collection("one"), collection("two", false)], levelAt, isOpen: (key) => open.includes(key) });
const keysOf = (rows: readonly Row[]): string[] => rows.map(({ key }) => key);

describe("the rows of the tree", () => {
  it("are the collections, and what is open below them, with a gap where documents are not loaded", () => {
    expect(keysOf(rowsWith())).toEqual(["one", "two"]);
    expect(keysOf(rowsWith("one", "a", "two"))).toEqual(["one", "a", "c", "gap a", "b", "two", "gap two"]);
    const [, a, c] = rowsWith("one", "a");
    expect(a).toMatchObject({ level: 2, position: 1, setSize: 2, isOpen: true });
    expect(c).toMatchObject({ level: 3, position: 1, setSize: -1, isOpen: undefined });
  });

  it("have the gap before a document that the tree was opened at, which has no known place among its siblings", () => {
    const rows = rowsOf({ collections: [collection("one")], levelAt: () => openedAt, isOpen: (key) => key === "one" });
    expect(keysOf(rows)).toEqual(["one", "a", "b", "gap one", "z"]);
    expect(rows[3]).toMatchObject({ missing: "between" });
    expect(rows[4]).toMatchObject({ position: undefined, setSize: -1 });
  });
});

describe("the keys of the tree", () => {
  const rows = rowsWith("one", "a");
  // one, a, c, gap a, b, two
  const table: [string, number, boolean, unknown][] = [
    ["ArrowDown", 0, false, { to: "focus", index: 1 }],
    ["ArrowDown", 2, false, { to: "focus", index: 4 }],
    ["ArrowDown", 5, false, undefined],
    ["ArrowUp", 4, false, { to: "focus", index: 2 }],
    ["ArrowUp", 0, false, undefined],
    ["Home", 4, false, { to: "focus", index: 0 }],
    ["End", 0, false, { to: "focus", index: 5 }],
    ["PageDown", 0, false, { to: "focus", index: 5 }],
    ["PageUp", 5, false, { to: "focus", index: 0 }],
    ["ArrowRight", 1, false, { to: "focus", index: 2 }],
    ["ArrowRight", 2, false, undefined],
    ["ArrowRight", 5, false, { to: "open", row: rows[5] }],
    ["ArrowLeft", 1, false, { to: "close", row: rows[1] }],
    ["ArrowLeft", 2, false, { to: "focus", index: 1 }],
    ["ArrowLeft", 5, false, undefined],
    ["ArrowLeft", 1, true, { to: "focus", index: 2 }],
    ["ArrowLeft", 5, true, { to: "open", row: rows[5] }],
    ["ArrowRight", 2, true, { to: "focus", index: 1 }],
    ["x", 0, false, undefined],
  ];
  it.each(table)(
    "%s on row %i, from right to left: %s",
    { meta: { proves: ["web.sidebar.keys"] } },
    (key, index, isRightToLeft, effect) => {
      expect(effectOfKey(key, rows, index, isRightToLeft)).toEqual(effect);
    },
  );

  it("letters go to the next title that begins with them, around the end; one letter again goes on", () => {
    expect(rowOfTyped(rows, 0, "title b", "en")).toBe(4);
    expect(rowOfTyped(rows, 0, "t", "en")).toBe(1);
    expect(rowOfTyped(rows, 1, "tt", "en")).toBe(2);
    expect(rowOfTyped(rows, 4, "COLL", "en")).toBe(5);
    expect(rowOfTyped(rows, 5, "title", "en")).toBe(1);
    expect(rowOfTyped(rows, 0, "nothing", "en")).toBeUndefined();
  });
});

describe("places in the tree", () => {
  const rows = rowsWith("one", "a", "two");
  const item = (key: string): ItemRow => {
    const found = rows.find((row): row is ItemRow => row.kind === "item" && row.key === key);
    if (found === undefined) throw new Error(`no row ${key}`);
    return found;
  };
  const target = (id: string): Target => ({
    ...node(id, null, 2),
    collectionId: "one",
    isDraft: false,
    isArchived: false,
    abilities: { edit: true, publish: true, archive: true, unarchive: false, delete: true, createChild: true },
  });

  it("a document is dropped before, inside or after a row, by where the pointer is", () => {
    expect([0.1, 0.5, 0.9].map((position) => zoneAt(item("b"), position))).toEqual(["before", "inside", "after"]);
    expect([0.1, 0.9].map((position) => zoneAt(item("one"), position))).toEqual(["inside", "inside"]);
    const drop = (key: string, zone: "before" | "inside" | "after") =>
      dropPlace(target("b"), item(key), zone, rows, levelAt);
    expect(drop("a", "before")).toEqual({ collectionId: "one", parentId: null, after: null });
    expect(drop("a", "after")).toEqual({ collectionId: "one", parentId: null, after: "a" });
    expect(drop("c", "inside")).toEqual({ collectionId: "one", parentId: "c", after: null });
    expect(drop("one", "inside")).toEqual({ collectionId: "one", parentId: null, after: null });
  });

  it("a document is not dropped on itself, below itself, or where nothing may be created", () => {
    expect(dropPlace(target("a"), item("a"), "inside", rows, levelAt)).toBeUndefined();
    expect(dropPlace(target("a"), item("c"), "after", rows, levelAt)).toBeUndefined();
    expect(dropPlace(target("b"), item("two"), "inside", rows, levelAt)).toBeUndefined();
  });

  it("a document does not pass siblings that are not loaded: beside them it has no place", () => {
    const place = { collectionId: "one", parentId: null };
    expect(placeBeside(openedAt, place, "z", -1)).toBeUndefined();
    expect(placeBeside(openedAt, place, "b", 1)).toBeUndefined();
    expect(placeBeside(openedAt, place, "b", -1)).toEqual({ ...place, after: null });
    const [, , , , z] = rowsOf({ collections: [collection("one")], levelAt: () => openedAt, isOpen: () => true });
    if (z?.kind !== "item") throw new Error("no row");
    const drop = (zone: "before" | "after") => dropPlace(target("a"), z, zone, [], () => openedAt);
    expect([drop("before"), drop("after")]).toEqual([undefined, { ...place, after: "z" }]);
  });

  it("a move among siblings names its new neighbor; at the ends there is none", () => {
    const level = levels["one,"];
    if (level === undefined) throw new Error("no level");
    const place = { collectionId: "one", parentId: null };
    expect(placeBeside(level, place, "b", -1)).toEqual({ ...place, after: null });
    expect(placeBeside(level, place, "a", 1)).toEqual({ ...place, after: "b" });
    expect([placeBeside(level, place, "a", -1), placeBeside(level, place, "b", 1)]).toEqual([undefined, undefined]);
    expect(withNodeAfter(level, node("b", null, 2), null).data.map(({ id }) => id)).toEqual(["b", "a"]);
  });
});
