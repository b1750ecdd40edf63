import { callerOf } from "@kb/core/testing";
import { type Statement, sql } from "@kb/db";
import { expect, it } from "vitest";
import type { Filters } from "../documents/filters.ts";
import { bulkDocuments } from "../testing/bulk-documents.ts";
import { testWorld } from "../testing/test-world.ts";
import { conditionsOf } from "./conditions.ts";
import { readHits } from "./hits.ts";
import { parseQuery, typedWords } from "./parse-query.ts";

let statements: Statement[] = [];
const { test, world } = await testWorld({}, { onQuery: (text, values) => statements.push({ text, values }) });
const editor = callerOf(world, world.people.editor);

/** Returns the total and the titles of a search, and the plans of its statements. */
async function search(query: string, filters: Filters) {
  const conditions = conditionsOf(parseQuery(query), typedWords(query));
  if (conditions === null) throw new Error("the query has no words");
  statements = [];
  const request = { ...filters, limit: 100, offset: 0 };
  const { total, rows } = await readHits(test.database, world.people.editor.actor, conditions, request);
  // The vocabulary of documents is still written meanwhile.
  const sent = statements.filter(({ text }) => text.includes("match AS MATERIALIZED"));
  const plans: string[] = [];
  for (const { text, values } of sent) {
    const plan = await test.database.acrossTeams.rows({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
    plans.push(JSON.stringify(plan));
  }
  return { total, titles: rows.map(({ title }) => title), plans };
}

it("tests tags and places by hashed sets: to look for thousands of hits in an array of thousands takes seconds", async () => {
  const titles = Array.from({ length: 40 }, (_, n) => `Number ${n}`);
  await bulkDocuments(world, { text: "a toroa", titles, minutesAgo: 0 });
  const top = await editor.create({ title: "A place", publish: true });
  const middle = await editor.create({ title: "A toroa", publish: true, parentDocumentId: top.id });
  await editor.create({ title: "B toroa", publish: true, parentDocumentId: middle.id, tags: ["sea"] });
  await editor.create({ title: "C toroa", publish: true, tags: ["sea", "bird"] });
  await editor.create({ title: "D toroa", publish: true, tags: ["bird"] });
  const found: readonly [Filters, readonly string[]][] = [
    [{ under: top.id }, ["A toroa", "B toroa"]],
    [{ tag: ["sea"] }, ["B toroa", "C toroa"]],
    [{ tag: ["sea"], tags: ["bird"] }, ["C toroa"]],
    [{ under: top.id, tag: ["sea"] }, ["B toroa"]],
    [{ under: top.id, tag: ["bird"] }, []],
    [{ tag: ["none"] }, []],
  ];
  for (const [filters, expected] of found) {
    const { total, titles, plans } = await search("toroa", filters);
    expect([total, titles.sort()], JSON.stringify(filters)).toEqual([expected.length, expected]);
    for (const plan of plans) {
      expect(plan).toMatch(/hashed SubPlan/);
      expect(plan).not.toMatch(/"Filter":"[^{}]*\bid = ANY \(+InitPlan/);
    }
  }
  const { total } = await search("toroa", { collectionId: world.collections.open });
  expect(total).toBe(titles.length + 4);
  await test.database.execute(
    sql`UPDATE documents SET "deletedAt" = now() WHERE "teamId" = ${world.teamId}::uuid AND id = ${middle.id}::uuid`,
  );
  expect((await search("toroa", { under: top.id })).titles).toEqual([]);
});
