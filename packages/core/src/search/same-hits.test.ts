import { callerOf } from "@kb/core/testing";
import { expect, it } from "vitest";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const admin = callerOf(world, await world.session(world.people.admin));
const viewer = callerOf(world, await world.session(world.people.viewer));

/** A page of hits: how many there are, and the ids of those on it. */
type Page = { readonly total: number; readonly ids: readonly string[] };

/** Reads the pages of a search one after the other, by each of the ways in which a caller can search. */
const ways: Readonly<Record<string, (query: string, limit: number) => AsyncGenerator<Page>>> = {
  async *rest(query, limit) {
    for (let offset = 0; ; offset += limit) {
      const { total, data } = await viewer.run(operations.searchDocuments, { query, limit, offset });
      yield { total, ids: data.map(({ document }) => document.id ?? "") };
      if (offset + limit >= total) return;
    }
  },
  async *app(query, limit) {
    for (let offset = 0; ; offset += limit) {
      const { total, data } = await viewer.run(operations.searchInApp, { query, limit, offset });
      yield { total, ids: data.map(({ id }) => id) };
      if (offset + limit >= total) return;
    }
  },
  async *assistants(query, limit) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const found = await viewer.run(operations.searchForAssistants, { query, limit, cursor });
      yield { total: found.total, ids: found.results.map(({ id }) => id) };
      cursor = found.nextCursor;
    }
  },
};

const texts = [
  "Call `retry_budget.reset` in src/net/retry.ts, as of v1.2.3, on 192.168.1.10",
  "設計ガイド: データベース 🚀 Café Ångström",
  "See [it](https://www.example.org/wiki/K%C3%B6ln), then `kb export --quiet`",
  "A well-known page about the data of the retry budget",
  "안녕하세요 ภาษาไทย שָׁלוֹם مَكتَبة ёлка",
];
for (const text of [...texts, ...texts, ...texts]) await admin.create({ title: "Same", text, publish: true });

it.each([
  ['"retry_budget"', 3],
  ["retry_budget.reset src/net/retry.ts", 3],
  ["192.168.1", 3],
  ["v1.2", 3],
  ["データ 🚀", 3],
  ["cafe angstrom", 3],
  ["https://www.example.org/wiki/K%C3%B6ln", 3],
  ["kb export --quiet", 3],
  ["well-known -budget.x", 3],
  ["the of data", 3],
  ["retry -reset", 3],
  ["안녕 ไทย שלום مكتبه елка", 3],
  ["retri budgat", 6],
  ["'; -- \\ % _ \" ( & | !", 0],
])("%s has the same hits in the same order over REST, in the app and for assistants: %i", async (query, total) => {
  const found: Page[][] = [];
  for (const way of Object.values(ways)) {
    const pages: Page[] = [];
    for await (const page of way(query, 2)) pages.push(page);
    found.push(pages);
  }
  expect(found[0]?.flatMap(({ ids }) => ids)).toHaveLength(total);
  expect(found).toEqual(found.map(() => found[0]));
});

it.each(Object.keys(ways))("a right that ends between two pages ends the hits of the next one: %s", async (name) => {
  const word = `numbat${name}`;
  const closing = await admin.run(operations.createCollection, { name: word });
  await admin.run(operations.setDefaultAccess, { id: closing.id, defaultAccess: "read" });
  const kept: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const collectionId = n % 2 === 0 ? closing.id : world.collections.open;
    const { id } = await admin.create({ title: `Number ${n}`, text: word, publish: true, collectionId });
    if (n % 2 === 1) kept.unshift(id);
  }
  const pages = ways[name]?.(word, 2);
  expect((await pages?.next())?.value).toMatchObject({ total: 6, ids: [kept[0], expect.any(String)] });
  await admin.run(operations.setDefaultAccess, { id: closing.id, defaultAccess: "none" });
  expect((await pages?.next())?.value).toEqual({ total: 3, ids: [kept[2]] });
  expect(await pages?.next()).toMatchObject({ done: true });
});
