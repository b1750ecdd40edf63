import { type Actor, readableDocuments } from "@kb/auth";
import { callerOf } from "@kb/core/testing";
import { type Statement, sql } from "@kb/db";
import { expect, it } from "vitest";
import { type Filters, filterConditions, statusCondition } from "../documents/filters.ts";
import { bulkDocuments } from "../testing/bulk-documents.ts";
import { testWorld } from "../testing/test-world.ts";
import { conditionsOf } from "./conditions.ts";
import { readHits } from "./hits.ts";
import { parseQuery, typedWords } from "./parse-query.ts";

let statements: Statement[] = [];
const { test, world } = await testWorld({}, { onQuery: (text, values) => statements.push({ text, values }) });
const editor = callerOf(world, world.people.editor);

/** Returns the total and the titles of a search, and the conditions that its plans test. */
async function search(query: string, filters: Filters, actor = world.people.editor.actor) {
  const conditions = conditionsOf(parseQuery(query), typedWords(query));
  if (conditions === null) throw new Error("the query has no words");
  statements = [];
  const request = { ...filters, limit: 100, offset: 0 };
  const { total, rows } = await readHits(test.database, actor, conditions, request);
  // The vocabulary of documents is still written meanwhile.
  const sent = statements.filter(({ text }) => text.includes("match AS MATERIALIZED"));
  const tests: string[] = [];
  for (const { text, values } of sent) {
    const plan = await test.database.acrossTeams.rows({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
    JSON.stringify(plan, (key, value) => {
      if (key === "Filter") tests.push(value);
      return value;
    });
  }
  return { total, titles: rows.map(({ title }) => title), tests };
}

/** Returns the titles of a list with the word. */
async function listed(word: string, filters: Filters, actor: Actor): Promise<string[]> {
  const rows = await test.database.acrossTeams.rows<{ title: string }>(sql`SELECT d.title FROM documents d
    WHERE d."teamId" = ${world.teamId}::uuid AND d.title LIKE ${`%${word}`} AND d."deletedAt" IS NULL
      AND ${statusCondition(filters.status)} AND ${readableDocuments(actor)}${filterConditions(actor, filters)} ORDER BY d.title`);
  return rows.map(({ title }) => title);
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
    const { total, titles, tests } = await search("toroa", filters);
    expect([total, titles.sort()], JSON.stringify(filters)).toEqual([expected.length, expected]);
    // PostgreSQL 17 prints an array as (InitPlan 3).col1, older versions as $5.
    expect(tests.filter((test) => /\bid = ANY \((\(InitPlan|\$\d)/.test(test))).toEqual([]);
  }
  const { total } = await search("toroa", { collectionId: world.collections.open });
  expect(total).toBe(titles.length + 4);
  await test.database.execute(
    sql`UPDATE documents SET "deletedAt" = now() WHERE "teamId" = ${world.teamId}::uuid AND id = ${middle.id}::uuid`,
  );
  expect((await search("toroa", { under: top.id })).titles).toEqual([]);
});

it("finds by tags and places what the same filters of a list find, for callers with different rights", async () => {
  const top = await editor.create({ title: "A kea", publish: true });
  const middle = await editor.create({ title: "B kea", publish: true, parentDocumentId: top.id });
  const lowest = await editor.create({ title: "C kea", publish: true, parentDocumentId: middle.id, tags: ["isle"] });
  const other = await editor.create({ title: "D kea", publish: true, tags: ["isle"] });
  for (const { id } of [lowest, other]) {
    await test.database.client.documentTag.create({
      data: { teamId: world.teamId, documentId: id, tagId: world.tags.hidden },
    });
  }
  const { admin, editor: author } = world.people;
  const documents = { [middle.id]: "read", [lowest.id]: "read" } as const;
  const limited = await world.actorOf(await world.key(author, ["read"], { restrictions: { documents } }));
  const found: readonly [Filters, readonly string[], readonly string[], readonly string[]][] = [
    [{ tag: ["hidden"] }, ["C kea", "D kea"], [], []],
    [{ tag: ["hidden", "isle"] }, ["C kea", "D kea"], [], []],
    [{ tag: ["isle"] }, ["C kea", "D kea"], ["C kea", "D kea"], ["C kea"]],
    [{ under: top.id }, ["B kea", "C kea"], ["B kea", "C kea"], []],
    [{ under: middle.id }, ["C kea"], ["C kea"], ["C kea"]],
    [{ under: top.id, tag: ["hidden"] }, ["C kea"], [], []],
  ];
  for (const [filters, ...expected] of found) {
    for (const [index, actor] of [admin.actor, author.actor, limited].entries()) {
      const name = `${JSON.stringify(filters)} of caller ${index}`;
      const { total, titles } = await search("kea", filters, actor);
      expect([total, titles.sort()], name).toEqual([expected[index]?.length, expected[index]]);
      expect(await listed("kea", filters, actor), name).toEqual(expected[index]);
    }
  }
});
