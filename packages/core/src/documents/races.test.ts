import { setTimeout as pause } from "node:timers/promises";
import { callerOf, outcomeOf } from "@kb/core/testing";
import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);

describe("simultaneous changes", () => {
  it("no child appears below a parent that is being deleted", {
    meta: { proves: ["decision.documents.delete-subtree"] },
  }, async () => {
    for (let round = 0; round < 10; round += 1) {
      const parent = await editor.create();
      const create = () => outcomeOf(editor.create({ parentDocumentId: parent.id }));
      const [first, , second] = await Promise.all([create(), editor.delete(parent.id), create()]);
      for (const outcome of [first, second]) expect(outcome).toBeOneOf(["done", "not_found"]);
      const orphans = await test.database.rows(sql`SELECT 1 FROM documents d
        WHERE d."teamId" = ${world.teamId}::uuid AND d."parentDocumentId" = ${parent.id}::uuid AND d."deletedAt" IS NULL`);
      expect(orphans).toEqual([]);
    }
  });

  it("no document is moved below a parent that is being deleted", {
    meta: { proves: ["decision.documents.moves"] },
  }, async () => {
    for (let round = 0; round < 10; round += 1) {
      const parent = await editor.create();
      const document = await editor.create();
      const [moved] = await Promise.all([
        outcomeOf(editor.update(document.id, { parentDocumentId: parent.id })),
        editor.delete(parent.id),
      ]);
      expect(moved).toBeOneOf(["done", "not_found"]);
      const stranded = await test.database.rows(sql`SELECT 1 FROM documents d JOIN documents p
          ON p."teamId" = d."teamId" AND p.id = d."parentDocumentId"
        WHERE d."teamId" = ${world.teamId}::uuid AND d.id = ${document.id}::uuid
          AND d."deletedAt" IS NULL AND p."deletedAt" IS NOT NULL`);
      expect(stranded).toEqual([]);
    }
  });

  it("writers of different fields keep each other's changes", {
    meta: { proves: ["decision.documents.revision"] },
  }, async () => {
    const { id } = await editor.create({ title: "t", text: "b" });
    const changes = [
      { title: "T" },
      { text: "B" },
      { emoji: "🎈" },
      { tags: ["x"] },
      { published: true },
      { sortOrder: 5 },
    ];
    await Promise.all(changes.map((change) => editor.update(id, change)));
    const document = await editor.get(id);
    expect(document).toMatchObject({ title: "T", text: "B", emoji: "🎈", tags: ["x"], sortOrder: 5, revision: 7 });
    expect(document.publishedAt).not.toBeNull();
  });

  it("of many deletes one succeeds", { meta: { proves: ["decision.documents.delete-answer"] } }, async () => {
    const { id } = await editor.create();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(editor.delete(id))));
    expect(outcomes.sort()).toEqual(["done", ...Array(7).fill("not_found")]);
  });

  it("a document is created below one that moves to another collection, or is refused with a conflict", async () => {
    const createCollection = async (): Promise<string> => (await editor.createCollection({ name: "Place" })).id;
    for (let round = 0; round < 4; round += 1) {
      const collectionId = await createCollection();
      const target = await createCollection();
      const { id } = await editor.create({ collectionId });
      const child = { collectionId, parentDocumentId: id };
      const [, ...created] = await Promise.all([
        editor.update(id, { collectionId: target }),
        ...Array.from({ length: 6 }, () => outcomeOf(editor.create(child))),
      ]);
      for (const outcome of created) expect(outcome).toBeOneOf(["done", "conflict"]);
    }
  });

  it("deletes, restores, moves and archives in one tree leave a sound tree", async () => {
    const root = await editor.create();
    const all = [root];
    for (let index = 0; index < 4; index += 1) all.push(await editor.create({ parentDocumentId: root.id }));
    const acts = all.flatMap(({ id }, index) => [
      () => editor.delete(id),
      () => editor.restore(id),
      () => editor.archive(id),
      () => editor.unarchive(id),
      () => editor.update(id, { parentDocumentId: all[(index + 1) % all.length]?.id }),
    ]);
    for (const outcome of await Promise.all(acts.map((act) => outcomeOf(act())))) {
      expect(outcome).toBeOneOf(["done", "not_found", "not_in_trash", "conflict"]);
    }
    const [unsound] = await test.database.rows<{ cycles: number; stranded: number }>(sql`
      WITH RECURSIVE above AS (
        SELECT d.id AS start, d."parentDocumentId" AS at, 1 AS depth FROM documents d WHERE d."teamId" = ${world.teamId}::uuid
        UNION ALL SELECT a.start, d."parentDocumentId", a.depth + 1 FROM above a JOIN documents d ON d.id = a.at
          WHERE d."teamId" = ${world.teamId}::uuid AND a.depth < 50)
      SELECT (SELECT count(*)::int FROM above WHERE depth = 50) AS cycles,
        (SELECT count(*)::int FROM documents d JOIN documents p ON p."teamId" = d."teamId" AND p.id = d."parentDocumentId"
          WHERE d."teamId" = ${world.teamId}::uuid AND d."deletedAt" IS NULL AND p."deletedAt" IS NOT NULL) AS stranded`);
    expect(unsound).toEqual({ cycles: 0, stranded: 0 });
  });

  it("each change of a team has its own moment and sequence number", {
    meta: { proves: ["decision.sync.commit-order"] },
  }, async () => {
    const made = await Promise.all(Array.from({ length: 40 }, () => editor.create({ publish: true })));
    expect(new Set(made.map((document) => document.updatedAt)).size).toBe(40);
    const events = await test.database.rows<{ sequence: number }>(sql`
      SELECT sequence FROM events WHERE "teamId" = ${world.teamId}::uuid ORDER BY sequence`);
    const sequences = events.map((event) => event.sequence);
    const first = sequences[0] ?? 0;
    expect(sequences).toEqual(sequences.map((_, index) => first + index));
  });
});

describe("a simultaneous change in another instance of the service", () => {
  /** Changes a document in a transaction that another instance holds open, and ends it after the call here has begun. */
  async function during<T>(id: string, call: () => Promise<T>): Promise<T> {
    const { promise: changed, resolve: change } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { teamId } = world;
    const body = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "elsewhere" }] }] };
    const other = test.database.transaction(async (tx) => {
      await tx.rows(sql`UPDATE documents SET title = 'elsewhere', revision = revision + 1
        WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid`);
      await tx.rows(sql`UPDATE document_bodies SET content = ${JSON.stringify(body)}::jsonb, markdown = ${"elsewhere\n"},
        text = 'elsewhere' WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${id}::uuid`);
      change();
      await held;
    });
    await changed;
    const called = call();
    // Until the call waits for the other transaction's lock, or half a second.
    for (let attempt = 0; attempt < 50 && !(await isAnyTransactionWaiting()); attempt += 1) await pause(10);
    release();
    await other;
    return called;
  }

  const isAnyTransactionWaiting = async (): Promise<boolean> => {
    const waiting = await test.database.acrossTeams.rows(sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return waiting.length > 0;
  };

  it("is what a revision guard compares with", { meta: { proves: ["decision.documents.if-match"] } }, async () => {
    const { id } = await editor.create({ title: "t", text: "b" });
    const conflict = (call: Promise<unknown>, path: string, currentRevision: number): Promise<void> =>
      expect(call).rejects.toMatchObject({ code: "revision_conflict", details: [{ path, currentRevision }] });
    const ofCall = during(id, () => editor.update(id, { title: "mine" }, { expectedRevisions: [1] }));
    await conflict(ofCall, "expectedRevisions", 2);
    const ofInput = during(id, () => editor.update(id, { title: "mine", expectedRevision: 2 }));
    await conflict(ofInput, "expectedRevision", 3);
  });

  it("keeps its text when a paragraph is appended", {
    meta: { proves: ["decision.documents.parallel-appends"] },
  }, async () => {
    const { id } = await editor.create({ text: "b" });
    const document = await during(id, () => editor.edit(id, { op: "append", markdown: "mine" }));
    expect(document).toMatchObject({ title: "elsewhere", text: "elsewhere\nmine", revision: 3 });
  });

  it("keeps its fields when another field is changed", {
    meta: { proves: ["decision.documents.revision"] },
  }, async () => {
    const { id } = await editor.create({ title: "t", text: "b" });
    const document = await during(id, () => editor.update(id, { emoji: "🎈" }));
    expect(document).toMatchObject({ title: "elsewhere", text: "elsewhere", emoji: "🎈", revision: 3 });
  });
});
