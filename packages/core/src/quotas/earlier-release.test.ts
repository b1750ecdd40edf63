import { randomUUID } from "node:crypto";
import { type Sql, sql, stampMoment, type Tx } from "@kb/db";
import { expect, it } from "vitest";
import { invoke, operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";
import { measureDocuments } from "./measure-documents.ts";
import { recountStorage } from "./recount-storage.ts";

// The statements of a release that knows no sizes, which may write while the next one is being installed.

const { test, world } = await testWorld();
const { admin, editor } = world.people;
const { teamId } = world;

type Sizes = { readonly bytes: number | null; readonly revisionBytes: number | null };

async function sizesOf(id: string): Promise<Sizes | undefined> {
  const [row] = await test.database.rows<Sizes>(sql`SELECT bytes::float8, "revisionBytes"::float8 FROM documents
    WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid`);
  return row;
}

const create = (text: string) =>
  invoke(world.service, operations.createDocument, editor.actor, { collectionId: world.collections.open, text });
const update = (id: string, text: string, by = admin) =>
  invoke(world.service, operations.updateDocument, by.actor, { id, text });

/** Stores the state before, the new body and the row, as the earlier release does. */
async function editAsEarlierRelease(tx: Tx, id: string, markdown: string): Promise<void> {
  const its = (of: Sql): Sql => sql`${of}."teamId" = ${teamId}::uuid AND ${of}`;
  await tx.rows(sql`SELECT 1 FROM documents d WHERE ${its(sql`d`)}.id = ${id}::uuid FOR UPDATE`);
  await tx.execute(sql`
    WITH ended AS (
      SELECT d."teamId", d.id, d.revision, d.title, d."updatedAt", b.content, b.markdown,
        sha256(convert_to(b.markdown, 'UTF8')) AS hash
      FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
      WHERE ${its(sql`d`)}.id = ${id}::uuid
    ), stored AS (
      INSERT INTO revision_bodies ("teamId", "documentId", hash, content, markdown)
      SELECT "teamId", id, hash, content, markdown FROM ended ON CONFLICT DO NOTHING
    ), noted AS (
      INSERT INTO document_revisions ("teamId", "documentId", revision, title, "bodyHash", "editorKind", "createdAt")
      SELECT "teamId", id, revision, title, hash, 'system', "updatedAt" FROM ended
    ), updated AS (
      UPDATE document_bodies b SET markdown = ${markdown} WHERE ${its(sql`b`)}."documentId" = ${id}::uuid
    )
    UPDATE documents d SET "runStartedAt" = now() FROM ended WHERE d."teamId" = ended."teamId" AND d.id = ended.id`);
  const at = await stampMoment(tx, teamId, new Date());
  await tx.execute(
    sql`UPDATE documents d SET revision = revision + 1, "updatedAt" = ${at} WHERE ${its(sql`d`)}.id = ${id}::uuid`,
  );
}

async function createAsEarlierRelease(tx: Tx, id: string, markdown: string, isBodyFirst: boolean): Promise<void> {
  const body = sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown)
    VALUES (${teamId}::uuid, ${id}::uuid, '{}', ${markdown}, ${markdown})`;
  if (isBodyFirst) await tx.execute(body);
  const at = await stampMoment(tx, teamId, new Date());
  await tx.execute(sql`INSERT INTO documents ("teamId", id, title, "titleKey", "collectionId", "createdById", "runStartedAt",
      "createdAt", "updatedAt")
    VALUES (${teamId}::uuid, ${id}::uuid, 'Before', 'before', ${world.collections.open}::uuid, ${editor.id}::uuid, ${at}, ${at}, ${at})`);
  if (!isBodyFirst) await tx.execute(body);
}

/** Expects the sizes and usages that are kept to be those that a recount finds. */
async function expectNothingToCorrect(): Promise<void> {
  const usages = () =>
    test.database.acrossTeams.rows(sql`SELECT "teamId", "userId", "documentBytes"::float8 AS d, "revisionBytes"::float8 AS r
      FROM storage_usage WHERE "documentBytes" <> 0 OR "revisionBytes" <> 0 ORDER BY 1, 2`);
  const kept = await usages();
  expect(await recountStorage(world.service)).toBe(0);
  expect(await usages()).toEqual(kept);
}

it("an edit by a release that knows no sizes leaves the size of the document and of its revisions right", async () => {
  const { id } = await create("x".repeat(100));
  await test.database.transaction((tx) => editAsEarlierRelease(tx, id, "ä".repeat(300)));
  expect(await sizesOf(id)).toEqual({ bytes: 600, revisionBytes: 101 });
  await update(id, "short");
  expect(await sizesOf(id)).toEqual({ bytes: 6, revisionBytes: 101 + 600 });
  await test.database.transaction((tx) => editAsEarlierRelease(tx, id, "ä".repeat(300)));
  expect(await sizesOf(id)).toEqual({ bytes: 600, revisionBytes: 101 + 600 + 6 });
  await expectNothingToCorrect();
});

it("a body that is equal to a stored revision counts once, whichever release edits", async () => {
  const { id } = await create("one");
  for (const markdown of ["two\n", "one\n", "two\n"]) {
    await test.database.transaction((tx) => editAsEarlierRelease(tx, id, markdown));
  }
  await update(id, "one");
  await update(id, "two", editor);
  expect(await sizesOf(id)).toEqual({ bytes: 4, revisionBytes: 8 });
  await expectNothingToCorrect();
});

it("several edits in one transaction are measured as it leaves them, and one that is rolled back not at all", async () => {
  const { id } = await create("start");
  await test.database.transaction(async (tx) => {
    await editAsEarlierRelease(tx, id, "x".repeat(50));
    await editAsEarlierRelease(tx, id, "x".repeat(70));
  });
  const sizes = { bytes: 70, revisionBytes: 6 + 50 };
  expect(await sizesOf(id)).toEqual(sizes);
  const undone = test.database.transaction(async (tx) => {
    await editAsEarlierRelease(tx, id, "x".repeat(90));
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await sizesOf(id)).toEqual(sizes);
  await expectNothingToCorrect();
});

it("a document that a release without sizes creates counts at its commit, whether it writes the body first or last", async () => {
  for (const isBodyFirst of [true, false]) {
    const id = randomUUID();
    await test.database.transaction((tx) => createAsEarlierRelease(tx, id, "ü".repeat(40), isBodyFirst));
    expect(await sizesOf(id)).toEqual({ bytes: 80, revisionBytes: 0 });
  }
  expect(await measureDocuments(world.service)).toBe(0);
  await expectNothingToCorrect();
});

it("an edit of a document that was not measured yet leaves it to the worker", async () => {
  const { id } = await create("unmeasured");
  await test.database.rows(sql`UPDATE documents SET bytes = NULL, "revisionBytes" = NULL
    WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid RETURNING id`);
  await test.database.transaction((tx) => editAsEarlierRelease(tx, id, "x".repeat(20)));
  expect(await sizesOf(id)).toEqual({ bytes: null, revisionBytes: null });
  expect(await measureDocuments(world.service)).toBe(1);
  expect(await sizesOf(id)).toEqual({ bytes: 20, revisionBytes: 11 });
});

it("edits of both releases at once leave every size right", { timeout: 120_000 }, async () => {
  const { id } = await create("contended");
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? update(id, "n".repeat(n * 10), n % 4 === 0 ? admin : editor)
        : test.database.transaction((tx) => editAsEarlierRelease(tx, id, "o".repeat(n * 10))),
    ),
  );
  await expectNothingToCorrect();
});
