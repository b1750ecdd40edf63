import type { DocumentView } from "@kb/core";
import { sql } from "@kb/db";
import { type ApiClient, type Failure, type One, type Reply, testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type Tombstone = { id: string; deletedAt: string; tombstone: true };
type Row = DocumentView | Tombstone;
type SyncPage = { limit: number; data: Row[]; hasMore: boolean; nextCursor: string };

const epoch = "1970-01-01T00:00:00Z";
const isTombstone = (row: Row): row is Tombstone => "tombstone" in row;

describe("incremental sync", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const make = async (input: object = {}): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, publish: true, ...input };
    return (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };
  const sync = <Body = SyncPage>(query: string, by = editor): Promise<Reply<Body>> =>
    by.get(`/api/v1/documents?${query}`);
  const since = (at: string, more = ""): string => `updatedSince=${encodeURIComponent(at)}${more}`;
  const ids = (rows: readonly Row[]): string[] => rows.map((row) => row.id);
  const collection = async (): Promise<string> =>
    (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Synced" })).body.data.id;
  /** Everything from a position on, page by page, as a client reads it that only keeps the last row's time. */
  const readAll = async (at: string, limit: number, more = "", by = editor): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let from = at; ; ) {
      const { body } = await sync(since(from, `&limit=${limit}${more}`), by);
      rows.push(...body.data);
      const last = body.data.at(-1);
      if (last === undefined || !body.hasMore) return rows;
      from = isTombstone(last) ? last.deletedAt : last.updatedAt;
    }
  };

  it("answers {limit, data, hasMore, nextCursor} without a total, 500 a page, oldest change first [decision.sync.answer] [documents.list.sync-without-total] [limits.sync-page-size] [documents.list.updated-since]", async () => {
    const place = await collection();
    const made = [await make({ collectionId: place }), await make({ collectionId: place })];
    const { status, body } = await sync(since(epoch, `&collectionId=${place}`));
    expect(status).toBe(200);
    expect(body).toEqual({ limit: 500, data: made, hasMore: false, nextCursor: expect.any(String) });
  });

  it("limit is 1 to 1000, anything else 400 [decision.sync.answer] [decision.documents.paging]", async () => {
    expect((await sync(since(epoch, "&limit=1000"))).body.limit).toBe(1000);
    for (const limit of ["0", "1001", "-1", "1.5", "x"]) {
      expect((await sync<Failure>(since(epoch, `&limit=${limit}`))).status, limit).toBe(400);
    }
  });

  it("takes none of the plain list's paging, and says so", async () => {
    for (const other of ["offset=0", "sort=title", "deleted=true"]) {
      const { status, body } = await sync<Failure>(since(epoch, `&${other}`));
      expect({ status, path: body.details?.[0]?.path }).toEqual({ status: 400, path: other.split("=")[0] });
    }
    expect((await sync<Failure>("includeDeleted=true")).status).toBe(400);
    for (const at of ["yesterday", "2026-01-01", "", "2026-01-01T00:00:00", "5"]) {
      expect((await sync<Failure>(since(at))).status, at).toBe(400);
    }
    for (const cursor of ["x", "", "e30", Buffer.from('{"at":1}').toString("base64url")]) {
      expect((await sync<Failure>(`cursor=${cursor}`)).status, cursor).toBe(400);
    }
  });

  it("updatedSince is exclusive, and takes any zone [documents.list.updated-since] [decision.sync.ties]", async () => {
    const [first, second] = [await make(), await make()];
    expect(ids((await sync(since(first.updatedAt))).body.data)).toEqual([second.id]);
    expect((await sync(since(second.updatedAt))).body.data).toEqual([]);
    const inTokyo = first.updatedAt.replace("Z", "+00:00");
    expect(ids((await sync(since(inTokyo))).body.data)).toEqual([second.id]);
  });

  it("format=markdown adds markdownText to each row [documents.list.format-markdown] [document.field.markdown-text]", async () => {
    const document = await make({ text: "# Body" });
    const before = new Date(Date.parse(document.updatedAt) - 1).toISOString();
    const { body } = await sync(since(before, "&format=markdown"));
    expect(body.data).toEqual([{ ...document, markdownText: "# Body\n" }]);
    expect((await sync(since(before))).body.data).toEqual([document]);
  });

  it("filters work as in the plain list", async () => {
    const place = await collection();
    const tagged = await make({ collectionId: place, tags: ["wanted"], title: "Tagged" });
    const draft = await make({ collectionId: place, publish: false });
    const child = await make({ collectionId: place, parentDocumentId: tagged.id });
    const found = async (query: string): Promise<string[]> =>
      ids((await sync(since(epoch, `&collectionId=${place}&${query}`))).body.data);
    expect(await found("tag=wanted")).toEqual([tagged.id]);
    expect(await found("status=draft")).toEqual([draft.id]);
    expect(await found(`parentDocumentId=${tagged.id}`)).toEqual([child.id]);
    expect(await found("title=tagged")).toEqual([tagged.id]);
  });

  it("rows that share a millisecond are never split by a page [decision.sync.ties]", async () => {
    const place = await collection();
    const made: DocumentView[] = [];
    for (let index = 0; index < 10; index += 1) made.push(await make({ collectionId: place }));
    const set = (from: number, to: number, at: string) =>
      setting.database.execute(sql`UPDATE documents SET "updatedAt" = ${new Date(at)}
        WHERE "teamId" = ${setting.world.teamId}::uuid AND id = ANY(${ids(made.slice(from, to))}::uuid[])`);
    await set(0, 2, "2025-01-01T00:00:00.001Z");
    await set(2, 8, "2025-01-01T00:00:00.002Z");
    await set(8, 10, "2025-01-01T00:00:00.003Z");
    for (const limit of [1, 2, 3, 4, 7, 8, 9, 10]) {
      const rows = await readAll("2025-01-01T00:00:00Z", limit, `&collectionId=${place}`);
      expect(ids(rows), `limit ${limit}`).toEqual(ids(made));
    }
    const { body } = await sync(since("2025-01-01T00:00:00Z", `&collectionId=${place}&limit=3`));
    expect(body).toMatchObject({ limit: 3, hasMore: true });
    expect(ids(body.data)).toEqual(ids(made.slice(0, 8)));
  });

  it("the cursor is exact: it goes on where the page ended, and serves to ask again later [decision.sync.cursor]", async () => {
    const place = await collection();
    const made: DocumentView[] = [];
    for (let index = 0; index < 7; index += 1) made.push(await make({ collectionId: place }));
    const seen: string[] = [];
    let { body } = await sync(since(epoch, `&collectionId=${place}&limit=3`));
    for (;;) {
      seen.push(...ids(body.data));
      if (!body.hasMore) break;
      ({ body } = await sync(`cursor=${body.nextCursor}&collectionId=${place}&limit=3`));
    }
    expect(seen).toEqual(ids(made));
    const later = await make({ collectionId: place });
    ({ body } = await sync(`cursor=${body.nextCursor}&collectionId=${place}`));
    expect(ids(body.data)).toEqual([later.id]);
    ({ body } = await sync(`cursor=${body.nextCursor}&collectionId=${place}`));
    expect(body).toMatchObject({ data: [], hasMore: false });
  });

  describe("tombstones", () => {
    /** What a change leaves behind for somebody, from just before it. */
    const leftBy = async (change: () => Promise<unknown>, by: ApiClient, more = ""): Promise<Row[]> => {
      const mark = await make();
      await change();
      const { status, body } = await sync(since(mark.updatedAt, `&includeDeleted=true${more}`), by);
      expect(status).toBe(200);
      return body.data;
    };
    const patch = (id: string, input: object) => () => editor.patch<object>(`/api/v1/documents/${id}`, input);

    it("a trashed document leaves one, in its place of the order [decision.sync.tombstones]", async () => {
      const viewer = setting.as(setting.world.people.viewer);
      const document = await make();
      const rows = await leftBy(() => editor.delete<object>(`/api/v1/documents/${document.id}`), viewer);
      expect(rows).toEqual([{ id: document.id, deletedAt: expect.any(String), tombstone: true }]);
    });

    it("an archived one does, with all that went with it [decision.sync.tombstones]", async () => {
      const parent = await make();
      const child = await make({ parentDocumentId: parent.id });
      const rows = await leftBy(() => editor.post<object>(`/api/v1/documents/${parent.id}/archive`), editor);
      expect(ids(rows).sort()).toEqual([parent.id, child.id].sort());
      expect(rows.every(isTombstone)).toBe(true);
    });

    it("so does every document of an archived collection [decision.sync.tombstones]", async () => {
      const place = await collection();
      const document = await make({ collectionId: place });
      const rows = await leftBy(() => editor.post<object>(`/api/v1/collections/${place}/archive`), editor);
      expect(rows).toEqual([{ id: document.id, deletedAt: expect.any(String), tombstone: true }]);
    });

    it("one that was moved out of sight does, for those who saw it where it was [decision.sync.tombstones]", async () => {
      const admin = setting.as(setting.world.people.admin);
      const document = await make();
      const toVault = () =>
        admin.patch<object>(`/api/v1/documents/${document.id}`, { collectionId: setting.world.collections.vault });
      const mark = await make();
      await toVault();
      const rows = async (by: ApiClient): Promise<Row[]> =>
        (await sync(since(mark.updatedAt, "&includeDeleted=true"), by)).body.data;
      expect(await rows(setting.as(setting.world.people.viewer))).toEqual([
        { id: document.id, deletedAt: expect.any(String), tombstone: true },
      ]);
      expect((await rows(admin)).filter(isTombstone)).toEqual([]);
      expect(ids(await rows(admin))).toEqual([document.id]);
    });

    it("one that was unpublished does, for those who do not see the draft [decision.sync.tombstones]", async () => {
      const document = await make();
      const viewer = setting.as(setting.world.people.viewer);
      expect(await leftBy(patch(document.id, { published: false }), viewer)).toEqual([
        { id: document.id, deletedAt: expect.any(String), tombstone: true },
      ]);
      await patch(document.id, { published: true })();
      const rows = await leftBy(patch(document.id, { published: false }), editor);
      expect(rows.map((row) => [row.id, isTombstone(row)])).toEqual([[document.id, false]]);
    });

    it("a sync of one collection hears of what left that collection [decision.sync.tombstones]", async () => {
      const [from, to] = [await collection(), await collection()];
      const document = await make({ collectionId: from });
      const rows = await leftBy(patch(document.id, { collectionId: to }), editor, `&collectionId=${from}`);
      expect(rows.map((row) => [row.id, isTombstone(row)])).toEqual([[document.id, true]]);
    });

    it("who never could see it hears nothing [decision.sync.tombstones] [decision.api.hidden]", async () => {
      const admin = setting.as(setting.world.people.admin);
      const { vault, open } = setting.world.collections;
      const json = { collectionId: vault, publish: true };
      const secret = (await admin.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
      const draft = await make({ publish: false });
      const viewer = setting.as(setting.world.people.viewer);
      expect(await leftBy(() => admin.delete<object>(`/api/v1/documents/${secret.id}`), editor)).toEqual([]);
      expect(await leftBy(() => editor.delete<object>(`/api/v1/documents/${draft.id}`), viewer)).toEqual([]);
      const outsider = setting.as(setting.world.people.outsider);
      const document = await make();
      expect(
        (await leftBy(() => editor.delete<object>(`/api/v1/documents/${document.id}`), outsider)).filter(isTombstone),
      ).toEqual([]);
      const key = await setting.world.key(setting.world.people.editor, ["read"], {
        restrictions: { collections: { [open]: "read" }, documents: { [(await make()).id]: "none" } },
      });
      const elsewhere = await make({ collectionId: await collection() });
      const rows = await leftBy(() => editor.delete<object>(`/api/v1/documents/${elsewhere.id}`), setting.as(key));
      expect(rows.filter(isTombstone)).toEqual([]);
    });

    it("what came back is a document again, not a tombstone [decision.sync.tombstones]", async () => {
      const document = await make();
      const rows = await leftBy(async () => {
        await editor.delete<object>(`/api/v1/documents/${document.id}`);
        await editor.post<object>(`/api/v1/documents/${document.id}/restore`);
      }, editor);
      expect(rows.map((row) => [row.id, isTombstone(row)])).toEqual([[document.id, false]]);
    });

    it("without includeDeleted there are none [decision.sync.tombstones]", async () => {
      const document = await make();
      await editor.delete<object>(`/api/v1/documents/${document.id}`);
      const { body } = await sync(since(epoch, "&limit=1000"));
      expect(body.data.some(isTombstone)).toBe(false);
    });

    it("pages hold documents and tombstones in one order, ties and all [decision.sync.ties]", async () => {
      const place = await collection();
      const start = await make();
      const made: DocumentView[] = [];
      for (let index = 0; index < 8; index += 1) made.push(await make({ collectionId: place }));
      for (const index of [1, 3, 5]) await editor.delete<object>(`/api/v1/documents/${made[index]?.id}`);
      for (const limit of [1, 2, 3, 5, 100]) {
        const rows = await readAll(start.updatedAt, limit, `&includeDeleted=true&collectionId=${place}`);
        expect(
          rows.filter(isTombstone).map((row) => row.id),
          `limit ${limit}`,
        ).toEqual([1, 3, 5].map((i) => made[i]?.id));
        expect(rows).toHaveLength(8);
      }
    });
  });

  it("a sync by updatedSince alone loses nothing while a writer keeps editing [decision.sync.commit-order] [decision.sync.ties]", async () => {
    const place = await collection();
    const still: DocumentView[] = [];
    const edited: DocumentView[] = [];
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        (index % 3 === 0 ? edited : still).push(await make({ collectionId: place, title: `S${index}` }));
      }),
    );
    let writing = true;
    const writer = async (offset: number): Promise<void> => {
      for (let count = offset; writing; count += 1) {
        const { id } = edited[count % edited.length] ?? still[0] ?? { id: "" };
        await editor.patch<object>(`/api/v1/documents/${id}`, { title: `edit ${offset} ${count}` });
      }
    };
    const writers = [writer(0), writer(7)];
    const seen: Row[] = [];
    let from = epoch;
    try {
      for (let page = 0; page < 400; page += 1) {
        const { body } = await sync(since(from, `&collectionId=${place}&limit=3`));
        seen.push(...body.data);
        const last = body.data.at(-1);
        if (last !== undefined && !isTombstone(last)) from = last.updatedAt;
        if (ids(seen).filter((id) => ids(still).includes(id)).length >= still.length && page > 30) writing = false;
        if (!writing && !body.hasMore) break;
      }
    } finally {
      // Writers that nobody stops keep the process busy for ever.
      writing = false;
    }
    await Promise.all(writers);
    seen.push(...(await readAll(from, 3, `&collectionId=${place}`)));
    for (const { id } of still) expect(seen.filter((row) => row.id === id)).toHaveLength(1);
    for (const { id } of edited) {
      const now = (await editor.get<One<DocumentView>>(`/api/v1/documents/${id}`)).body.data;
      expect(seen.findLast((row) => row.id === id)).toEqual(now);
    }
  });

  it("a slow transaction that commits late does not slip under a position that a client already holds [decision.sync.commit-order]", async () => {
    const place = await collection();
    const slow = await make({ collectionId: place });
    const fast = await make({ collectionId: place });
    const { teamId } = setting.world;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: stamped, resolve: stamp } = Promise.withResolvers<void>();
    // The team's clock is taken, and the change that took it is not committed yet.
    const late = setting.database.transaction(async (tx) => {
      await tx.rows(sql`UPDATE team_clocks SET at = at + interval '1 ms' WHERE "teamId" = ${teamId}::uuid`);
      await tx.rows(sql`UPDATE documents SET title = 'late', "updatedAt" = (SELECT at FROM team_clocks WHERE "teamId" = ${teamId}::uuid)
        WHERE "teamId" = ${teamId}::uuid AND id = ${slow.id}::uuid`);
      stamp();
      await held;
    });
    await stamped;
    const quick = editor.patch<One<DocumentView>>(`/api/v1/documents/${fast.id}`, { title: "quick" });
    const meanwhile = await sync(since(fast.updatedAt, `&collectionId=${place}`));
    expect(meanwhile.body.data).toEqual([]);
    release();
    await late;
    await quick;
    const rows = (await sync(since(fast.updatedAt, `&collectionId=${place}`))).body.data;
    expect(ids(rows)).toEqual([slow.id, fast.id]);
  });
});

describe("the window of the sync", () => {
  const clock = testClock();
  const day = 24 * 60 * 60 * 1000;
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting({ clock });
  });
  afterAll(() => setting.close());

  const cursorOf = async (by: ApiClient): Promise<string> =>
    (await by.get<SyncPage>(`/api/v1/documents?updatedSince=${epoch}`)).body.nextCursor;

  it("tombstones are kept 90 days: an older position with includeDeleted is 410 [decision.sync.window] [decision.api.code.sync-window]", async () => {
    const editor = setting.as(setting.world.people.editor);
    const at = (days: number): string => encodeURIComponent(new Date(clock.now().getTime() - days * day).toISOString());
    const inside = await editor.get<SyncPage>(`/api/v1/documents?updatedSince=${at(90)}&includeDeleted=true`);
    expect(inside.status).toBe(200);
    const older = encodeURIComponent(new Date(clock.now().getTime() - 90 * day - 1).toISOString());
    for (const updatedSince of [older, at(1000), epoch]) {
      const reply = await editor.get(`/api/v1/documents?updatedSince=${updatedSince}&includeDeleted=true`);
      expect(reply).toMatchObject({ status: 410, body: { code: "sync_window_expired" } });
    }
    expect((await editor.get<object>(`/api/v1/documents?updatedSince=${at(1000)}`)).status).toBe(200);
  });

  it("a cursor made before the caller's access was changed is 410 [decision.sync.access-changed]", async () => {
    const { world } = setting;
    const { viewer, member } = world.people;
    const expired = { status: 410, body: { code: "sync_window_expired" } };
    const asViewer = setting.as(viewer);

    const before = await cursorOf(asViewer);
    clock.advance(1000);
    await world.grant(world.collections.vault, viewer.id, "read");
    expect(await asViewer.get(`/api/v1/documents?cursor=${before}`)).toMatchObject(expired);
    const after = await cursorOf(asViewer);
    expect((await asViewer.get<object>(`/api/v1/documents?cursor=${after}`)).status).toBe(200);

    clock.advance(1000);
    await world.setDefaultAccess(world.collections.readable, "none");
    expect(await asViewer.get(`/api/v1/documents?cursor=${after}`)).toMatchObject(expired);
    await world.setDefaultAccess(world.collections.readable, "read");

    const ofMember = await cursorOf(setting.as(member));
    const { client } = setting.database;
    const editors = { teamId: world.teamId, builtIn: "editors" };
    const group = await client.group.findUnique({ where: { teamId_builtIn: editors } });
    await client.membership.create({ data: { teamId: world.teamId, userId: member.id, groupId: group?.id ?? "" } });
    expect(await setting.as(member).get(`/api/v1/documents?cursor=${ofMember}`)).toMatchObject(expired);
  });

  it("so is a cursor of a key whose restrictions were changed [decision.sync.access-changed]", async () => {
    const { world } = setting;
    const { open, readable } = world.collections;
    const key = await world.key(world.people.editor, ["read"], { restrictions: { collections: { [open]: "read" } } });
    const cursor = await cursorOf(setting.as(key));
    const { restrictedKeyId } = await world.actorOf(key);
    const { client } = setting.database;
    const row = { teamId: world.teamId, apiKeyId: restrictedKeyId ?? "" };
    await client.apiKeyCollection.create({ data: { ...row, collectionId: readable, level: "read" } });
    expect((await setting.as(key).get(`/api/v1/documents?cursor=${cursor}`)).status).toBe(410);
    const next = await cursorOf(setting.as(key));
    await client.apiKeyDocument.create({ data: { ...row, documentId: world.documents.guide.id, level: "none" } });
    expect((await setting.as(key).get(`/api/v1/documents?cursor=${next}`)).status).toBe(410);
  });

  it("a new collection, or a change of somebody else's access, ends no cursor [decision.sync.access-changed]", async () => {
    const { world } = setting;
    const asViewer = setting.as(world.people.viewer);
    const cursor = await cursorOf(asViewer);
    clock.advance(1000);
    await setting.as(world.people.admin).post<object>("/api/v1/collections", { name: "New" });
    await world.grant(world.collections.granted, world.people.editor.id, "read");
    expect((await asViewer.get<object>(`/api/v1/documents?cursor=${cursor}`)).status).toBe(200);
  });
});
