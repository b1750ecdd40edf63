import { addPerson, callerOf, eventsDuring, outcomeOf, sessionCallerOf, unknownId } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);
const key = callerOf(world, world.people.admin);

const write = (input: object = {}) => key.create({ publish: true, ...input });
const writeToTrash = async (input: object = {}) => {
  const document = await write(input);
  await key.delete(document.id);
  return document;
};
const listTrash = (by = key) => by.listIds({ deleted: true });
const destroy = (id: string, by = admin) => by.run(operations.destroyDocument, { id });

describe("destroying a document", () => {
  it("removes it for good, and only a session may", {
    meta: { proves: ["documents.state.destroy-in-app", "decision.app.destroy"] },
  }, async () => {
    const { id } = await writeToTrash({ title: "Doomed" });
    expect(await outcomeOf(destroy(id, key))).toBe("forbidden");
    expect(await outcomeOf(key.delete(id))).toBe("not_found");
    const events = await eventsDuring(world, async () => {
      expect(await destroy(id)).toEqual({ id, status: "destroyed", destroyed: 1 });
    });
    expect(events).toEqual([{ type: "document.destroyed", data: expect.objectContaining({ id, title: "Doomed" }) }]);
    expect(await listTrash()).not.toContain(id);
    expect(await outcomeOf(key.get(id, { deleted: true }))).toBe("not_found");
    expect(await outcomeOf(key.restore(id))).toBe("not_found");
    expect(await outcomeOf(destroy(id))).toBe("not_found");
  });

  it("leaves no body, revision or stored answer of it", { meta: { proves: ["decision.app.destroy"] } }, async () => {
    const mark = `zyzzyva${newId().replaceAll("-", "")}`;
    const idempotency = { key: newId(), requestHash: new Uint8Array(32) };
    const { id } = await key.create({ text: `first ${mark}`, tags: ["marked"] }, { idempotency });
    await callerOf(world, world.people.editor).update(id, { text: `second ${mark}` });
    await key.update(id, { text: `third ${mark}` });
    await key.delete(id);
    const countTraces = async (): Promise<number> => {
      const [row] = await test.database.acrossTeams.rows<{ count: number }>(sql`SELECT count(*)::int AS count FROM (
        SELECT row_to_json(b)::text AS text FROM document_bodies b UNION ALL SELECT row_to_json(r)::text FROM revision_bodies r
        UNION ALL SELECT row_to_json(i)::text FROM idempotency_keys i UNION ALL SELECT row_to_json(e)::text FROM events e
        UNION ALL SELECT row_to_json(a)::text FROM audit_entries a) traces WHERE text LIKE ${`%${mark}%`}`);
      return row?.count ?? 0;
    };
    expect(await countTraces()).toBeGreaterThan(3);
    await destroy(id);
    expect(await countTraces()).toBe(0);
    const [rows] = await test.database.acrossTeams.rows<{ count: number }>(sql`SELECT
      (SELECT count(*) FROM document_revisions WHERE "documentId" = ${id}::uuid)::int
      + (SELECT count(*) FROM document_tags WHERE "documentId" = ${id}::uuid)::int AS count`);
    expect(rows?.count).toBe(0);
  });

  it("is refused outside the trash, and answers a hidden document like one that does not exist", {
    meta: { proves: ["decision.app.destroy"] },
  }, async () => {
    const { guide, secret, foreign, trashed } = world.documents;
    await expect(destroy(guide.id)).rejects.toMatchObject({ code: "not_in_trash" });
    expect(await key.get(guide.id)).toMatchObject({ id: guide.id });
    await key.delete(secret.id);
    const other = await sessionCallerOf(world, await addPerson(world, "Admins"));
    for (const id of [secret.id, foreign.id, unknownId]) {
      await expect(destroy(id, other)).rejects.toMatchObject({
        code: "not_found",
        message: "Document not found",
        details: undefined,
      });
    }
    const editor = await sessionCallerOf(world, world.people.editor);
    expect(await outcomeOf(destroy(trashed.id, editor))).toBe("forbidden");
    const forced = admin.run(operations.destroyDocument, { id: trashed.id, force: true });
    expect(await outcomeOf(forced)).toBe("validation_error");
    expect(await outcomeOf(key.restore(secret.id))).toBe("done");
  });

  it("takes what was deleted with it, and moves to the top what was deleted before", async () => {
    const root = await write({ title: "Root" });
    const first = await write({ title: "Deleted before", parentDocumentId: root.id });
    const below = await write({ title: "Below", parentDocumentId: root.id });
    await key.delete(first.id);
    await key.delete(root.id);
    expect(await destroy(root.id)).toMatchObject({ destroyed: 2 });
    const left = await listTrash();
    expect([root.id, below.id, first.id].map((id) => left.includes(id))).toEqual([false, false, true]);
    await key.restore(first.id);
    expect((await key.get(first.id)).parentDocumentId).toBeNull();
  });

  it("leaves its files to the clean-up", async () => {
    const document = await writeToTrash();
    const { teamId } = world;
    const id = newId();
    await test.database.client.attachment.create({
      data: {
        teamId,
        id,
        publicId: newId(),
        name: "a.png",
        contentType: "image/png",
        size: 1n,
        documentId: document.id,
        status: "ready",
      },
    });
    await destroy(document.id);
    const where = { teamId_id: { teamId, id } };
    expect((await test.database.client.attachment.findUniqueOrThrow({ where })).documentId).toBeNull();
  });

  it("sends its tombstone again to clients of the sync", async () => {
    const { id } = await writeToTrash();
    const updatedSince = new Date(Date.now() - 60_000).toISOString();
    const { nextCursor } = await key.sync({ includeDeleted: true, updatedSince });
    await destroy(id);
    const { data } = await key.sync({ includeDeleted: true, cursor: nextCursor });
    expect(data).toEqual([{ id, tombstone: true, deletedAt: expect.any(String) }]);
  });

  it("of a destruction and a restore at once, exactly one happens", async () => {
    for (let round = 0; round < 6; round += 1) {
      const root = await write();
      const child = await write({ parentDocumentId: root.id });
      await key.delete(root.id);
      const [destroyed, restored] = await Promise.all([outcomeOf(destroy(root.id)), outcomeOf(key.restore(root.id))]);
      expect(`${destroyed} ${restored}`).toBeOneOf(["done not_found", "not_in_trash done"]);
      for (const { id } of [root, child]) {
        expect(await outcomeOf(key.get(id))).toBe(restored === "done" ? "done" : "not_found");
      }
    }
  });

  it("of three destructions at once, one succeeds and the others find nothing", async () => {
    const { id } = await writeToTrash();
    const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(destroy(id))));
    expect(outcomes.sort()).toEqual(["done", "not_found", "not_found"]);
  });
});

describe("emptying the trash", () => {
  it("destroys only what the caller sees in the trash", { meta: { proves: ["decision.app.destroy"] } }, async () => {
    const kept = await writeToTrash({ collectionId: world.collections.vault });
    const gone = await Promise.all([writeToTrash(), writeToTrash()]);
    const person = await addPerson(world, "Admins");
    const other = await sessionCallerOf(world, person);
    const seen = await listTrash(callerOf(world, person));
    for (const { id } of gone) expect(seen).toContain(id);
    const events = await eventsDuring(world, async () => {
      expect(await other.run(operations.emptyTrash)).toEqual({ destroyed: seen.length, remaining: 0 });
    });
    expect(events.map((event) => event.data.id).sort()).toEqual([...seen].sort());
    expect(await listTrash(callerOf(world, person))).toEqual([]);
    expect(await listTrash()).toEqual([kept.id]);
    expect(await other.run(operations.emptyTrash)).toEqual({ destroyed: 0, remaining: 0 });
    const outsider = await sessionCallerOf(world, world.people.outsider);
    expect(await outsider.run(operations.emptyTrash)).toEqual({ destroyed: 0, remaining: 0 });
    expect(await listTrash()).toEqual([kept.id]);
  });

  it("destroys 500 documents per call, oldest first", async () => {
    const { teamId, people, collections } = world;
    await test.database.acrossTeams.execute(sql`INSERT INTO documents ("teamId", id, title, "titleKey", "collectionId",
        "createdById", "runStartedAt", "createdAt", "updatedAt", "deletedAt")
      SELECT ${teamId}::uuid, gen_random_uuid(), 'Old', 'old', ${collections.open}::uuid, ${people.admin.id}::uuid, now(), now(),
        now(), now() - n * interval '1 minute' FROM generate_series(1, 600) n`);
    await test.database.acrossTeams.execute(sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown)
      SELECT "teamId", id, '{"type":"doc","content":[]}', '', '' FROM documents d WHERE title = 'Old'
      ON CONFLICT DO NOTHING`);
    const [oldest] = await test.database.acrossTeams.rows<{ id: string }>(sql`SELECT id FROM documents
      WHERE "teamId" = ${teamId}::uuid AND title = 'Old' ORDER BY "deletedAt" LIMIT 1`);
    if (oldest === undefined) throw new Error("600 documents were written");
    const emptied = await admin.run(operations.emptyTrash);
    expect(emptied.destroyed).toBe(500);
    expect(emptied.remaining).toBeGreaterThanOrEqual(100);
    expect(await outcomeOf(key.get(oldest.id, { deleted: true }))).toBe("not_found");
    expect(await admin.run(operations.emptyTrash)).toEqual({ destroyed: emptied.remaining, remaining: 0 });
  });
});
