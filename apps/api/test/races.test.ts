import { setTimeout as pause } from "node:timers/promises";
import type { DocumentView } from "@kb/core";
import { sql } from "@kb/db";
import type { ApiClient, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("many at once", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const make = async (input: object = {}): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, ...input };
    return (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };

  it("no child appears below a parent that is being deleted [decision.documents.delete-subtree]", async () => {
    for (let round = 0; round < 10; round += 1) {
      const parent = await make();
      const create = () =>
        editor.post<object>("/api/v1/documents", {
          collectionId: setting.world.collections.open,
          parentDocumentId: parent.id,
        });
      const [first, , second] = await Promise.all([
        create(),
        editor.delete<object>(`/api/v1/documents/${parent.id}`),
        create(),
      ]);
      for (const { status } of [first, second]) expect(status).toBeOneOf([201, 404]);
      const orphans = await setting.database.rows(sql`SELECT 1 FROM documents d
        WHERE d."teamId" = ${setting.world.teamId}::uuid AND d."parentDocumentId" = ${parent.id}::uuid AND d."deletedAt" IS NULL`);
      expect(orphans).toEqual([]);
    }
  });

  it("no document is moved below a parent that is being deleted [decision.documents.moves]", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [parent, document] = [await make(), await make()];
      const [moved] = await Promise.all([
        editor.patch<object>(`/api/v1/documents/${document.id}`, { parentDocumentId: parent.id }),
        editor.delete<object>(`/api/v1/documents/${parent.id}`),
      ]);
      expect(moved.status).toBeOneOf([200, 404]);
      const stranded = await setting.database.rows(sql`SELECT 1 FROM documents d JOIN documents p
          ON p."teamId" = d."teamId" AND p.id = d."parentDocumentId"
        WHERE d."teamId" = ${setting.world.teamId}::uuid AND d.id = ${document.id}::uuid
          AND d."deletedAt" IS NULL AND p."deletedAt" IS NOT NULL`);
      expect(stranded).toEqual([]);
    }
  });

  it("writers of different fields lose nothing of each other [decision.documents.revision]", async () => {
    const { id } = await make({ title: "t", text: "b" });
    const changes = [
      { title: "T" },
      { text: "B" },
      { emoji: "🎈" },
      { tags: ["x"] },
      { published: true },
      { sortOrder: 5 },
    ];
    const replies = await Promise.all(changes.map((change) => editor.patch<object>(`/api/v1/documents/${id}`, change)));
    expect(replies.map((reply) => reply.status)).toEqual(changes.map(() => 200));
    const { data } = (await editor.get<One<DocumentView>>(`/api/v1/documents/${id}`)).body;
    expect(data).toMatchObject({ title: "T", text: "B", emoji: "🎈", tags: ["x"], sortOrder: 5, revision: 7 });
    expect(data.publishedAt).not.toBeNull();
  });

  describe("with another instance of the service", () => {
    /** What another instance does to a document: in a transaction that ends only after the request here has begun. */
    async function meanwhile<T>(id: string, request: () => Promise<T>): Promise<T> {
      const { promise: changed, resolve: change } = Promise.withResolvers<void>();
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const { teamId } = setting.world;
      const body = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "elsewhere" }] }] };
      const other = setting.database.transaction(async (tx) => {
        await tx.rows(sql`UPDATE documents SET title = 'elsewhere', revision = revision + 1
          WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid`);
        await tx.rows(sql`UPDATE document_bodies SET content = ${JSON.stringify(body)}::jsonb, markdown = ${"elsewhere\n"},
          text = 'elsewhere' WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${id}::uuid`);
        change();
        await held;
      });
      await changed;
      const asked = request();
      // Until the request waits for the other transaction's lock, or half a second.
      for (let attempt = 0; attempt < 50 && !(await somebodyWaits()); attempt += 1) await pause(10);
      release();
      await other;
      return asked;
    }

    const somebodyWaits = async (): Promise<boolean> =>
      (
        await setting.database.acrossTeams.rows(sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      ).length > 0;

    it("a guard is held against what the other committed [decision.documents.if-match]", async () => {
      const { id } = await make({ title: "t", text: "b" });
      const path = `/api/v1/documents/${id}`;
      const matched = await meanwhile(id, () => editor.patch(path, { title: "mine" }, { "If-Match": '"1"' }));
      expect(matched).toMatchObject({ status: 412, body: { details: [{ currentRevision: 2 }] } });
      const expected = await meanwhile(id, () => editor.patch(path, { title: "mine", expectedRevision: 2 }));
      expect(expected).toMatchObject({ status: 409, body: { details: [{ currentRevision: 3 }] } });
    });

    it("an append keeps what the other wrote [decision.documents.parallel-appends]", async () => {
      const { id } = await make({ text: "b" });
      const edit = { op: "append", markdown: "mine" };
      const { body } = await meanwhile(id, () => editor.post<One<DocumentView>>(`/api/v1/documents/${id}/edits`, edit));
      expect(body.data).toMatchObject({ title: "elsewhere", text: "elsewhere\nmine", revision: 3 });
    });

    it("a change of one field keeps what the other wrote in another [decision.documents.revision]", async () => {
      const { id } = await make({ title: "t", text: "b" });
      const path = `/api/v1/documents/${id}`;
      const { body } = await meanwhile(id, () => editor.patch<One<DocumentView>>(path, { emoji: "🎈" }));
      expect(body.data).toMatchObject({ title: "elsewhere", text: "elsewhere", emoji: "🎈", revision: 3 });
    });
  });

  it("of many deletes at once one deletes [decision.documents.delete-answer]", async () => {
    const { id } = await make();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => editor.delete<object>(`/api/v1/documents/${id}`)),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array(7).fill(404)]);
  });

  it("a document put below one that moves to another collection is there, or is told of the conflict", async () => {
    const collection = async (): Promise<string> =>
      (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Place" })).body.data.id;
    for (let round = 0; round < 4; round += 1) {
      const [from, to] = [await collection(), await collection()];
      const parent = (await editor.post<One<DocumentView>>("/api/v1/documents", { collectionId: from })).body.data.id;
      const child = { collectionId: from, parentDocumentId: parent };
      const [moved, ...made] = await Promise.all([
        editor.patch<object>(`/api/v1/documents/${parent}`, { collectionId: to }),
        ...Array.from({ length: 6 }, () => editor.post<{ code?: string }>("/api/v1/documents", child)),
      ]);
      expect(moved.status).toBe(200);
      for (const { status, body } of made) {
        if (status !== 201) expect({ status, code: body.code }).toEqual({ status: 409, code: "conflict" });
      }
    }
  });

  it("deletes, restores, moves and archives of one tree at once leave a sound tree", async () => {
    const root = await make();
    const children = [];
    for (let index = 0; index < 4; index += 1) children.push(await make({ parentDocumentId: root.id }));
    const all = [root, ...children];
    const acts = all.flatMap(({ id }, index) => [
      () => editor.delete<object>(`/api/v1/documents/${id}`),
      () => editor.post<object>(`/api/v1/documents/${id}/restore`),
      () => editor.post<object>(`/api/v1/documents/${id}/archive`),
      () => editor.post<object>(`/api/v1/documents/${id}/unarchive`),
      () => editor.patch<object>(`/api/v1/documents/${id}`, { parentDocumentId: all[(index + 1) % all.length]?.id }),
    ]);
    const replies = await Promise.all(acts.map((act) => act()));
    for (const { status } of replies) expect(status).toBeOneOf([200, 404, 409]);
    const [unsound] = await setting.database.rows<{ cycles: number; stranded: number }>(sql`
      WITH RECURSIVE above AS (
        SELECT d.id AS start, d."parentDocumentId" AS at, 1 AS depth FROM documents d WHERE d."teamId" = ${setting.world.teamId}::uuid
        UNION ALL SELECT a.start, d."parentDocumentId", a.depth + 1 FROM above a JOIN documents d ON d.id = a.at
          WHERE d."teamId" = ${setting.world.teamId}::uuid AND a.depth < 50)
      SELECT (SELECT count(*)::int FROM above WHERE depth = 50) AS cycles,
        (SELECT count(*)::int FROM documents d JOIN documents p ON p."teamId" = d."teamId" AND p.id = d."parentDocumentId"
          WHERE d."teamId" = ${setting.world.teamId}::uuid AND d."deletedAt" IS NULL AND p."deletedAt" IS NOT NULL) AS stranded`);
    expect(unsound).toEqual({ cycles: 0, stranded: 0 });
  });

  it("every change at once of a team gets a moment and a sequence number of its own [decision.sync.commit-order]", async () => {
    const made = await Promise.all(Array.from({ length: 40 }, () => make({ publish: true })));
    expect(new Set(made.map((document) => document.updatedAt)).size).toBe(40);
    const events = await setting.database.rows<{ sequence: number }>(sql`
      SELECT sequence FROM events WHERE "teamId" = ${setting.world.teamId}::uuid ORDER BY sequence`);
    const sequences = events.map((event) => event.sequence);
    const first = sequences[0] ?? 0;
    expect(sequences).toEqual(sequences.map((_, index) => first + index));
  });

  it("more requests than connections are served, none fails [decision.api.code.unavailable]", async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 4 === 0
          ? editor.post<object>("/api/v1/documents", { collectionId: setting.world.collections.open })
          : editor.get<Page<object>>("/api/v1/documents?limit=5"),
      ),
    );
    expect(replies.every((reply) => reply.status < 300)).toBe(true);
  });
});
