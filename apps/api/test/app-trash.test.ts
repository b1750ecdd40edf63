import type { DocumentView } from "@kb/core";
import { newId, sql } from "@kb/db";
import type { ApiClient, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, eventsOf, inApp, newPerson } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("the trash in the app", () => {
  let setting: Setting;
  let admin: AppCall;
  let key: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    key = setting.as(setting.world.people.admin);
  });
  afterAll(() => setting.close());

  const write = async (input: object = {}, by: ApiClient = key): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, publish: true, ...input };
    return (await by.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };
  const trashed = async (input: object = {}): Promise<DocumentView> => {
    const document = await write(input);
    await key.delete<object>(`/api/v1/documents/${document.id}`);
    return document;
  };
  const trash = async (by: ApiClient = key): Promise<string[]> =>
    (await by.get<Page<DocumentView>>("/api/v1/documents?deleted=true&limit=100")).body.data.map((row) => row.id);

  it("destroying a document removes it for good, in the app alone [documents.state.destroy-in-app] [decision.app.destroy]", async () => {
    const { id } = await trashed({ title: "Doomed" });
    const path = `/api/v1/documents/${id}`;
    expect((await key.post("/api/documents.destroy", { id })).status).toBe(403);
    expect((await key.delete(path)).status).toBe(404);
    const events = await eventsOf(setting, async () => {
      const { body } = await admin<One<object>>("documents.destroy", { id });
      expect(body.data).toEqual({ id, status: "destroyed", destroyed: 1 });
    });
    expect(events).toEqual([{ type: "document.destroyed", data: expect.objectContaining({ id, title: "Doomed" }) }]);
    expect(await trash()).not.toContain(id);
    expect((await key.get(`${path}?deleted=true`)).status).toBe(404);
    expect((await key.post(`${path}/restore`)).status).toBe(404);
    expect((await admin("documents.destroy", { id })).status).toBe(404);
  });

  it("no body, revision or stored answer of it is left [decision.app.destroy]", async () => {
    const mark = `zyzzyva${newId().replaceAll("-", "")}`;
    const json = { collectionId: setting.world.collections.open, text: `first ${mark}`, tags: ["marked"] };
    const made = await key.post<One<DocumentView>>("/api/v1/documents", json, { "Idempotency-Key": newId() });
    const { id } = made.body.data;
    const path = `/api/v1/documents/${id}`;
    await setting.as(setting.world.people.editor).patch<object>(path, { text: `second ${mark}` });
    await key.patch<object>(path, { text: `third ${mark}` });
    await key.delete<object>(path);
    const left = async (): Promise<number> => {
      const [row] = await setting.database.acrossTeams.rows<{ count: number }>(sql`SELECT count(*)::int AS count FROM (
        SELECT row_to_json(b)::text AS text FROM document_bodies b UNION ALL SELECT row_to_json(r)::text FROM revision_bodies r
        UNION ALL SELECT row_to_json(i)::text FROM idempotency_keys i UNION ALL SELECT row_to_json(e)::text FROM events e
        UNION ALL SELECT row_to_json(a)::text FROM audit_entries a) all_of_it WHERE text LIKE ${`%${mark}%`}`);
      return row?.count ?? 0;
    };
    expect(await left()).toBeGreaterThan(3);
    await admin("documents.destroy", { id });
    expect(await left()).toBe(0);
    const [rows] = await setting.database.acrossTeams.rows<{ count: number }>(sql`SELECT
      (SELECT count(*) FROM document_revisions WHERE "documentId" = ${id}::uuid)::int
      + (SELECT count(*) FROM document_tags WHERE "documentId" = ${id}::uuid)::int AS count`);
    expect(rows?.count).toBe(0);
  });

  it("what is not in the trash stays, and what may not be seen there is absent [decision.app.destroy]", async () => {
    const { guide, secret, foreign, trashed: gone } = setting.world.documents;
    expect(await admin("documents.destroy", { id: guide.id })).toMatchObject({
      status: 404,
      body: { code: "not_in_trash" },
    });
    expect((await key.get<object>(`/api/v1/documents/${guide.id}`)).status).toBe(200);
    await key.delete<object>(`/api/v1/documents/${secret.id}`);
    const other = await inApp(setting, await newPerson(setting, "Admins"));
    for (const id of [secret.id, foreign.id, unknownId]) {
      const { status, body } = await other("documents.destroy", { id });
      expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
    const editor = await inApp(setting, setting.world.people.editor);
    expect(await editor("documents.destroy", { id: gone.id })).toMatchObject({ status: 403 });
    expect((await admin("documents.destroy", { id: gone.id, force: true })).status).toBe(400);
    expect((await key.post<object>(`/api/v1/documents/${secret.id}/restore`)).status).toBe(200);
  });

  it("what went to the trash together goes together; what went before stays, at the top", async () => {
    const root = await write({ title: "Root" });
    const first = await write({ title: "Went before", parentDocumentId: root.id });
    const below = await write({ title: "Below", parentDocumentId: root.id });
    await key.delete<object>(`/api/v1/documents/${first.id}`);
    await key.delete<object>(`/api/v1/documents/${root.id}`);
    const { body } = await admin<One<object>>("documents.destroy", { id: root.id });
    expect(body.data).toMatchObject({ destroyed: 2 });
    const left = await trash();
    expect([root.id, below.id, first.id].map((id) => left.includes(id))).toEqual([false, false, true]);
    const path = `/api/v1/documents/${first.id}`;
    expect((await key.post<object>(`${path}/restore`)).status).toBe(200);
    expect((await key.get<One<DocumentView>>(path)).body.data.parentDocumentId).toBeNull();
  });

  it("one that is destroyed leaves its files to the clean-up", async () => {
    const { id } = await trashed();
    const { teamId } = setting.world;
    const data = { teamId, id: newId(), publicId: newId(), name: "a.png", contentType: "image/png", size: 1n };
    await setting.database.client.attachment.create({ data: { ...data, documentId: id, status: "ready" } });
    expect((await admin("documents.destroy", { id })).status).toBe(200);
    const where = { teamId_id: { teamId, id: data.id } };
    const { documentId } = await setting.database.client.attachment.findUniqueOrThrow({ where });
    expect(documentId).toBeNull();
  });

  it("a client of the sync hears of it again", async () => {
    const { id } = await trashed();
    const since = new Date(Date.now() - 60_000).toISOString();
    type Sync = { data: { id: string; deletedAt?: string; tombstone?: true }[]; nextCursor: string };
    const sync = "/api/v1/documents?includeDeleted=true";
    const { nextCursor } = (await key.get<Sync>(`${sync}&updatedSince=${since}`)).body;
    await admin("documents.destroy", { id });
    const { body } = await key.get<Sync>(`${sync}&cursor=${nextCursor}`);
    expect(body.data).toEqual([{ id, tombstone: true, deletedAt: expect.any(String) }]);
  });

  it("of a destroy and a restore at once exactly one happens", async () => {
    for (let round = 0; round < 6; round += 1) {
      const root = await write();
      const child = await write({ parentDocumentId: root.id });
      await key.delete<object>(`/api/v1/documents/${root.id}`);
      const [destroyed, restored] = await Promise.all([
        admin("documents.destroy", { id: root.id }),
        key.post<object>(`/api/v1/documents/${root.id}/restore`),
      ]);
      expect([destroyed.status, restored.status].sort()).toEqual([200, 404]);
      for (const { id } of [root, child]) {
        const { status } = await key.get<object>(`/api/v1/documents/${id}`);
        expect(status).toBe(restored.status === 200 ? 200 : 404);
      }
    }
  });

  it("two who destroy the same at once: one did, for the other it is gone", async () => {
    const { id } = await trashed();
    const replies = await Promise.all([1, 2, 3].map(() => admin("documents.destroy", { id })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 404, 404]);
  });

  it("emptying takes what the caller sees in the trash, and nothing else [decision.app.destroy]", async () => {
    const { vault } = setting.world.collections;
    const kept = await trashed({ collectionId: vault });
    const gone = await Promise.all([trashed(), trashed()]);
    const person = await newPerson(setting, "Admins");
    const other = await inApp(setting, person);
    const seen = await trash(setting.as(person));
    for (const { id } of gone) expect(seen).toContain(id);
    const events = await eventsOf(setting, async () => {
      const { body } = await other<One<object>>("trash.empty");
      expect(body.data).toEqual({ destroyed: seen.length, remaining: 0 });
    });
    expect(events.map((event) => event.data.id).sort()).toEqual([...seen].sort());
    expect(await trash(setting.as(person))).toEqual([]);
    expect(await trash()).toEqual([kept.id]);
    expect((await other<One<object>>("trash.empty")).body.data).toEqual({ destroyed: 0, remaining: 0 });
    const theirs = await inApp(setting, setting.world.people.outsider);
    expect((await theirs<One<object>>("trash.empty")).body.data).toEqual({ destroyed: 0, remaining: 0 });
    expect(await trash()).toEqual([kept.id]);
  });

  it("a full trash is emptied 500 documents a call, oldest first", async () => {
    const { teamId, people, collections } = setting.world;
    await setting.database.acrossTeams.execute(sql`INSERT INTO documents ("teamId", id, title, "titleKey", "collectionId",
        "createdById", "runStartedAt", "createdAt", "updatedAt", "deletedAt")
      SELECT ${teamId}::uuid, gen_random_uuid(), 'Old', 'old', ${collections.open}::uuid, ${people.admin.id}::uuid, now(), now(),
        now(), now() - n * interval '1 minute' FROM generate_series(1, 600) n`);
    await setting.database.acrossTeams.execute(sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown)
      SELECT "teamId", id, '{"type":"doc","content":[]}', '', '' FROM documents d WHERE title = 'Old'
      ON CONFLICT DO NOTHING`);
    const oldest = await setting.database.acrossTeams.rows<{ id: string }>(sql`SELECT id FROM documents
      WHERE "teamId" = ${teamId}::uuid AND title = 'Old' ORDER BY "deletedAt" LIMIT 1`);
    type Emptied = One<{ destroyed: number; remaining: number }>;
    const { data } = (await admin<Emptied>("trash.empty")).body;
    expect(data.destroyed).toBe(500);
    expect(data.remaining).toBeGreaterThanOrEqual(100);
    expect((await key.get(`/api/v1/documents/${oldest[0]?.id}?deleted=true`)).status).toBe(404);
    expect((await admin<Emptied>("trash.empty")).body.data).toEqual({ destroyed: data.remaining, remaining: 0 });
  });
});
