import { createWorld, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { postgresMsOf, type TestDatabase, testDatabase } from "@kb/db/testing";
import { threadMs } from "@kb/testing/growth";
import { afterAll, beforeEach, expect, it } from "vitest";
import { createDocument } from "../documents/create.ts";
import { updateDocument } from "../documents/update.ts";
import { invoke } from "../invoke.ts";
import { searchDocuments } from "./search.ts";
import { sweepVocabularies } from "./sweep-vocabulary.ts";
import { maxVocabularyTerms } from "./vocabulary.ts";

const manyTerms = 120_000;
/** Of processor time. Without bounds, such a query took several seconds. */
const boundMs = 1_500;

let test: TestDatabase;
let world: World;
beforeEach(async () => {
  await test?.drop();
  test = await testDatabase();
  world = await createWorld(test.database);
});
afterAll(() => test.drop());

const create = (text: string) =>
  invoke(world.service, createDocument, world.people.editor.actor, {
    title: "Pond",
    collectionId: world.collections.open,
    text,
    publish: true,
  });

const totalOf = async (query: string): Promise<number> =>
  (await invoke(world.service, searchDocuments, world.people.editor.actor, { query })).total;

async function termsOf(teamId = world.teamId): Promise<string[]> {
  const rows = await test.database.rows<{ term: string }>(
    sql`SELECT s.term FROM search_terms s WHERE s."teamId" = ${teamId}::uuid ORDER BY s.term`,
  );
  return rows.map(({ term }) => term);
}

/** Fills the vocabulary with words that begin and end alike, as somebody may who wants searches to be slow. */
async function fillVocabulary(): Promise<void> {
  await test.database.execute(sql`WITH words AS (
      SELECT 'prefix' || translate(lpad(n::text, 6, '0'), '0123456789', 'abcdefghij') || 'suffix' AS term
      FROM generate_series(1, ${manyTerms}::int) n)
    INSERT INTO search_terms ("teamId", term, reversed) SELECT ${world.teamId}::uuid, term, reverse(term) FROM words`);
}

it("twelve misspelt words are searched for in bounded time in a vocabulary of 120,000 words that look like them", async () => {
  await create("One axolotl.");
  await fillVocabulary();
  const words = Array.from({ length: 12 }, (_, n) => `prefix${"abcdefghijkl"[n]}zzzzzsuffix`).join(" ");
  const postgresMs = await postgresMsOf(test.database);
  const usedMs = (): number => postgresMs() + threadMs();
  const before = usedMs();
  expect(await totalOf(words)).toBe(0);
  expect(usedMs() - before).toBeLessThan(boundMs);
  expect(await totalOf("axoltl")).toBe(1);
});

it("the worker removes the words that no document contains, and only those", async () => {
  const { id } = await create("Axolotl and salamander.");
  const before = await termsOf();
  await fillVocabulary();
  let removed = 0;
  for (let rest = -1; rest !== 0; ) {
    rest = await sweepVocabularies(test.database);
    removed += rest;
  }
  expect(removed).toBe(manyTerms);
  expect(await termsOf()).toEqual(before);
  expect(await totalOf("salamandar")).toBe(1);

  await invoke(world.service, updateDocument, world.people.editor.actor, { id, text: "Axolotl alone." });
  await sweepVocabularies(test.database);
  expect(await termsOf()).not.toContain("salamander");
  expect(await totalOf("axoltl")).toBe(1);
});

it("a full vocabulary takes no more words, until the worker has counted what is left of it", async () => {
  await create("Axolotl.");
  const full = sql`UPDATE search_vocabularies SET terms = ${maxVocabularyTerms} WHERE "teamId" = ${world.teamId}::uuid`;
  await test.database.execute(full);
  await create("Salamander.");
  expect(await termsOf()).not.toContain("salamander");
  expect(await totalOf("salamander")).toBe(1);
  await sweepVocabularies(test.database);
  await create("Salamander again.");
  expect(await termsOf()).toContain("salamander");
});

it("documents written while the worker sweeps keep their words", async () => {
  const words = Array.from(
    { length: 30 },
    (_, n) => `newt${"abcdefghijklmnopqrstuvwxyzabcdef".slice(n % 26, (n % 26) + 3)}`,
  );
  await create(words.join(" "));
  const [first] = (await invoke(world.service, searchDocuments, world.people.editor.actor, { query: words[0] ?? "" }))
    .data;
  const id = first?.document.id ?? "";
  const writer = async (): Promise<void> => {
    for (const word of words) {
      await invoke(world.service, updateDocument, world.people.editor.actor, { id, text: "Nothing." });
      await invoke(world.service, updateDocument, world.people.editor.actor, { id, text: word });
    }
    await invoke(world.service, updateDocument, world.people.editor.actor, { id, text: words.join(" ") });
  };
  let isWriting = true;
  const sweeper = async (): Promise<void> => {
    while (isWriting) await sweepVocabularies(test.database);
  };
  await Promise.all([writer().finally(() => (isWriting = false)), sweeper()]);
  expect(await termsOf()).toEqual(expect.arrayContaining(words));
});
