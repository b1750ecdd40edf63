import { expect, it } from "vitest";
import { ancestorsOf, maxDepth, placeDocuments } from "./outline.ts";

/** Documents of which each is below the one before. */
const chainOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `id-${n}`,
    title: "A title of some words",
    emoji: null,
    parentDocumentId: n === 0 ? null : `id-${n - 1}`,
    updatedAt: new Date(0),
  }));

it("a chain of 4,000 documents has at most 100 folders inside each other, and no path that a system refuses", () => {
  const entries = placeDocuments(chainOf(4_000), ".md", []);
  expect(entries).toHaveLength(4_000);
  expect(new Set(entries.map(({ path }) => path)).size).toBe(4_000);
  for (const { path, depth } of entries) {
    expect(depth).toBe(Math.min(path.split("/").length - 1, maxDepth));
    expect(path.split("/").length).toBeLessThanOrEqual(maxDepth + 1);
    expect(Buffer.byteLength(path)).toBeLessThan(4_096);
  }
});

it("a page names its nearest 10 ancestors, the highest first", () => {
  const entries = placeDocuments(chainOf(300), ".html", []);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const idsAbove = (n: number) =>
    entries.slice(n, n + 1).flatMap((entry) => ancestorsOf(entry, byId).map(({ id }) => id));
  expect(idsAbove(0)).toEqual([]);
  expect(idsAbove(3)).toEqual(["id-0", "id-1", "id-2"]);
  expect(idsAbove(299)).toEqual(Array.from({ length: 10 }, (_, n) => `id-${n + 289}`));
});

it("children of a document that is not exported are at the top", () => {
  const entries = placeDocuments(chainOf(3).slice(1), ".md", []);
  const paths = entries.map(({ path }) => path);
  expect(paths).toEqual(["A title of some words.md", "A title of some words/A title of some words.md"]);
});
