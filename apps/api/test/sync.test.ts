import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One, Reply } from "@kb/http/testing";
import { testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type Tombstone = { id: string; deletedAt: string; tombstone: true };
type SyncPage = { limit: number; data: (DocumentView | Tombstone)[]; hasMore: boolean; nextCursor: string };

const epoch = "1970-01-01T00:00:00Z";

// The sync itself is proved in packages/core/src/documents: here are statuses, bodies and query strings.

describe("the incremental sync over HTTP", () => {
  const clock = testClock();
  const dayMs = 24 * 60 * 60 * 1000;
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting({ clock });
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

  it("returns 200 with {limit, data, hasMore, nextCursor} without a total, 500 items per page", {
    meta: {
      proves: [
        "decision.sync.answer",
        "documents.list.sync-without-total",
        "limits.sync-page-size",
        "documents.list.updated-since",
      ],
    },
  }, async () => {
    const place = (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Synced" })).body.data.id;
    const made = [await make({ collectionId: place, tags: ["wanted"] }), await make({ collectionId: place })];
    const { status, body } = await sync(since(epoch, `&collectionId=${place}`));
    expect({ status, body }).toEqual({
      status: 200,
      body: { limit: 500, data: made, hasMore: false, nextCursor: expect.any(String) },
    });
    const tagged = await sync(since(epoch, `&collectionId=${place}&tag=wanted&status=published&limit=1`));
    expect(tagged.body).toMatchObject({ limit: 1, data: made.slice(0, 1), hasMore: false });
    const later = await make({ collectionId: place });
    const next = await sync(`cursor=${body.nextCursor}&collectionId=${place}&format=markdown`);
    expect(next.body.data).toEqual([{ ...later, markdownText: expect.any(String) }]);
  });

  it("a limit outside of 1 to 1000 is 400", {
    meta: { proves: ["decision.sync.answer", "decision.documents.paging"] },
  }, async () => {
    expect((await sync(since(epoch, "&limit=1000"))).body.limit).toBe(1000);
    for (const limit of ["0", "1001", "-1", "1.5", "x"]) {
      expect((await sync<Failure>(since(epoch, `&limit=${limit}`))).status, limit).toBe(400);
    }
  });

  it("offset paging, a malformed time and a malformed cursor are 400", async () => {
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

  it("includeDeleted=true adds tombstones of three fields", {
    meta: { proves: ["decision.sync.tombstones"] },
  }, async () => {
    const { id, updatedAt } = await make();
    await editor.delete<object>(`/api/v1/documents/${id}`);
    const { status, body } = await sync(since(updatedAt, "&includeDeleted=true"));
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: [{ id, deletedAt: expect.any(String), tombstone: true }],
    });
    expect((await sync(since(updatedAt, "&includeDeleted=false"))).body.data).toEqual([]);
  });

  it("a position older than the 90 days of tombstones, or from before a change of access, is 410", {
    meta: { proves: ["decision.sync.window", "decision.sync.access-changed", "decision.api.code.sync-window"] },
  }, async () => {
    const { people, collections } = setting.world;
    const expired = { status: 410, body: { code: "sync_window_expired" } };
    const old = new Date(clock.now().getTime() - 90 * dayMs - 1).toISOString();
    expect(await sync(since(old, "&includeDeleted=true"))).toMatchObject(expired);
    const viewer = setting.as(people.viewer);
    const { nextCursor } = (await sync(since(epoch), viewer)).body;
    clock.advance(1000);
    await setting.world.grant(collections.vault, people.viewer.id, "read");
    expect(await sync(`cursor=${nextCursor}`, viewer)).toMatchObject(expired);
  });
});
