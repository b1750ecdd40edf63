import { callerOf, outcomeOf, type TestCaller } from "@kb/core/testing";
import { sql } from "@kb/db";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { bulkDocuments } from "../testing/bulk-documents.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, await world.session(world.people.editor));
const viewer = callerOf(world, await world.session(world.people.viewer));

const suggest = (caller: TestCaller, query: string, input: object = {}) =>
  caller.run(operations.suggestDocuments, { query, ...input });
const titles = async (caller: TestCaller, query: string) => (await suggest(caller, query)).map(({ title }) => title);
const create = (title: string, input: object = {}) => editor.create({ title, publish: true, ...input });

it("every word of the query begins a word of the title, without regard to case and accents", {
  meta: { proves: ["web.suggest"] },
}, async () => {
  for (const title of [
    "Plan für das Büro",
    "Planung (alt)",
    "Der große Plan",
    "会議録 2024",
    "Übersicht: Büro-Umzug",
  ]) {
    await create(title);
  }
  expect(await titles(editor, "plan")).toEqual(["Planung (alt)", "Plan für das Büro", "Der große Plan"]);
  expect(await titles(editor, "PLAN Für")).toEqual(["Plan für das Büro"]);
  expect(await titles(editor, "buro pla")).toEqual(["Plan für das Büro"]);
  expect(await titles(editor, "umz")).toEqual(["Übersicht: Büro-Umzug"]);
  expect(await titles(editor, "議録")).toEqual(["会議録 2024"]);
  expect(await titles(editor, "lan")).toEqual([]);
  expect(await titles(editor, "...")).toEqual([]);
  expect(await outcomeOf(suggest(editor, " "))).toBe("validation_error");
});

it("a title that equals the query comes first, then those that begin with it, then the latest change; at most 8", {
  meta: { proves: ["web.suggest"] },
}, async () => {
  const exact = await create("Zebra");
  for (let n = 0; n < 10; n += 1) await create(`The zebra ${n}`);
  await create("Zebra crossing");
  expect(await titles(editor, "zebra")).toEqual([
    "Zebra",
    "Zebra crossing",
    ...[9, 8, 7, 6, 5, 4].map((n) => `The zebra ${n}`),
  ]);
  await editor.update(exact.id, { title: "Quagga" });
  expect(await titles(editor, "quagga")).toEqual(["Quagga"]);
  expect(await titles(editor, "zebra")).not.toContain("Zebra");
});

it("a title is found by a rare word of it, however many titles have the other words", {
  meta: { proves: ["web.suggest"] },
}, async () => {
  const { id } = await create("Fossa 0777");
  await test.database.execute(sql`INSERT INTO document_title_words ("teamId", word, "documentId")
    SELECT ${world.teamId}::uuid, 'foss' || n, ${id}::uuid FROM generate_series(1000, 2100) n`);
  expect(await titles(editor, "foss 0777")).toEqual(["Fossa 0777"]);
  expect(await titles(editor, "0777 foss")).toEqual(["Fossa 0777"]);
});

it("a title that equals the query, or begins with it, is found however many titles have its words", {
  meta: { proves: ["web.suggest"] },
}, async () => {
  await bulkDocuments(world, { text: "", titles: Array.from({ length: 1_100 }, (_, n) => `A tenrec guide ${n}`) });
  await create("Tenrec guides");
  await create("Tenrec guide");
  await create("Tenrec");
  expect((await titles(editor, "tenrec guide")).slice(0, 2)).toEqual(["Tenrec guide", "Tenrec guides"]);
  expect((await titles(editor, "tenrec")).slice(0, 3)).toEqual(["Tenrec", "Tenrec guide", "Tenrec guides"]);
});

it("shows the place of each, and only documents that the user may read", {
  meta: { proves: ["web.suggest", "decision.api.hidden"] },
}, async () => {
  const above = await create("Okapi");
  const { id } = await create("Okapi below", { parentDocumentId: above.id });
  await editor.create({ title: "Okapi draft" });
  await editor.archive((await create("Okapi filed")).id);
  await editor.delete((await create("Okapi gone")).id);
  expect((await titles(editor, "okapi")).sort()).toEqual(["Okapi", "Okapi below", "Okapi draft"]);
  expect((await titles(viewer, "okapi")).sort()).toEqual(["Okapi", "Okapi below"]);
  expect(await titles(viewer, "secret")).toEqual([]);
  const entry = (await suggest(viewer, "okapi")).find((one) => one.id === id);
  expect(entry).toMatchObject({
    state: "published",
    collection: { id: world.collections.open, name: "Open" },
    path: [{ id: above.id, title: "Okapi" }],
    lastModifiedBy: { id: world.people.editor.id },
  });
  const { collections } = world;
  expect(await suggest(viewer, "okapi", { collectionId: collections.readable })).toEqual([]);
});

it("a title that the previous release writes is found too", { meta: { proves: ["web.suggest"] } }, async () => {
  const { id } = await create("Before");
  await test.database.execute(sql`UPDATE documents SET title = 'Tapir', "titleKey" = 'tapir'
    WHERE "teamId" = ${world.teamId}::uuid AND id = ${id}::uuid`);
  expect(await titles(editor, "tap")).toEqual(["Tapir"]);
  expect(await titles(editor, "before")).toEqual([]);
});

it("the words of a title follow each change of it, in scripts with and without spaces", async () => {
  const { id } = await create("Tapir, tapir & Gnu");
  const words = async (): Promise<string[]> => {
    const rows = await test.database.rows<{ word: string }>(
      sql`SELECT word FROM document_title_words WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid ORDER BY word`,
    );
    return rows.map(({ word }) => word);
  };
  expect(await words()).toEqual(["gnu", "tapir"]);
  for (const [title, expected] of [
    ["Tapir 2", ["2", "tapir"]],
    ["カタナ Tapir", ["tapir", "カタナ", "タナ", "ナ"]],
    // Half-width forms are the same words.
    ["ｶﾀﾅ", ["カタナ", "タナ", "ナ"]],
    ["...", []],
    ["Gnu", ["gnu"]],
  ] as const) {
    await editor.update(id, { title });
    expect(await words(), title).toEqual(expected);
  }
});
