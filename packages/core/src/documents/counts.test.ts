import { sql } from "@kb/db";
import { createWorld, type World } from "@kb/testing";
import { type TestDatabase, testDatabase } from "@kb/testing/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";

// The totals of lists come from counts that triggers keep: whatever happens to documents, they are what counting gives.

let test: TestDatabase;
let world: World;
beforeAll(async () => {
  test = await testDatabase();
  world = await createWorld(test.database);
});
afterAll(() => test.drop());

type Count = { kind: string; count: number };

/** The counts as they are kept, and as they are when they are counted now. */
async function counts(): Promise<[Count[], Count[]]> {
  const nothing = sql`'00000000-0000-0000-0000-000000000000'::uuid`;
  const kept = await test.database.acrossTeams.rows<Count>(sql`
    SELECT concat_ws(' ', "teamId", "collectionId", "createdById", published, archived) AS kind, count::int
    FROM document_counts WHERE count <> 0 ORDER BY 1`);
  const counted = await test.database.acrossTeams.rows<Count>(sql`
    SELECT concat_ws(' ', "teamId", COALESCE("collectionId", ${nothing}),
      CASE WHEN "publishedAt" IS NULL OR "collectionId" IS NULL THEN COALESCE("createdById", ${nothing}) ELSE ${nothing} END,
      "publishedAt" IS NOT NULL, "archivedAt" IS NOT NULL) AS kind, count(*)::int
    FROM documents WHERE "deletedAt" IS NULL GROUP BY 1 ORDER BY 1`);
  return [kept, counted];
}

async function expectCounted(): Promise<void> {
  const [kept, counted] = await counts();
  expect(kept).toEqual(counted);
}

it("the counts behind a list's total are exact after every kind of change", async () => {
  const { service, collections, people } = world;
  const boss = people.admin.actor;
  const make = (input: object): Promise<{ id: string }> =>
    invoke(service, operations.createDocument, boss, { collectionId: collections.open, ...input });
  await expectCounted();
  const root = await make({ title: "Root", publish: true });
  const below = await make({ title: "Below", parentDocumentId: root.id });
  await expectCounted();
  const { id } = root;
  const steps = [
    () => invoke(service, operations.updateDocument, boss, { id: below.id, published: true }),
    () => invoke(service, operations.updateDocument, boss, { id: below.id, published: false }),
    () => invoke(service, operations.updateDocument, boss, { id, collectionId: collections.readable }),
    () => invoke(service, operations.archiveDocument, boss, { id }),
    () => invoke(service, operations.unarchiveDocument, boss, { id }),
    () => invoke(service, operations.deleteDocument, boss, { id }),
    () => invoke(service, operations.restoreDocument, boss, { id }),
    () => invoke(service, operations.archiveCollection, boss, { id: collections.readable }),
    () => invoke(service, operations.unarchiveCollection, boss, { id: collections.readable }),
    () =>
      invoke(
        service,
        operations.deleteCollection,
        { ...boss, credential: { kind: "session", id: "s", name: "s" } },
        { id: collections.readable },
      ),
    () => test.database.acrossTeams.execute(sql`DELETE FROM documents WHERE id = ${below.id}::uuid`),
    () => test.database.acrossTeams.execute(sql`UPDATE documents SET "collectionId" = NULL WHERE "deletedAt" IS NULL`),
  ];
  for (const step of steps) {
    await step();
    await expectCounted();
  }
});

it("changes of many at once leave the counts exact", async () => {
  const { service, collections, people } = world;
  const { admin, editor, member } = people;
  const make = async (n: number): Promise<void> => {
    const { actor } = [admin, editor, member][n % 3] ?? admin;
    const collectionId = collections.open;
    const { id } = await invoke(service, operations.createDocument, actor, { collectionId, publish: n % 2 === 0 });
    if (n % 4 === 0) await invoke(service, operations.updateDocument, actor, { id, published: n % 8 === 0 });
    if (n % 5 === 0) await invoke(service, operations.archiveDocument, admin.actor, { id });
    if (n % 7 === 0) await invoke(service, operations.deleteDocument, admin.actor, { id });
  };
  await Promise.all(Array.from({ length: 60 }, (_, n) => make(n)));
  await expectCounted();
});

it("counting anew gives what is kept", async () => {
  const [kept] = await counts();
  await test.database.acrossTeams.rows(sql`SELECT recount_documents()::text`);
  expect((await counts())[0]).toEqual(kept);
});
