import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, Many, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, eventsOf, inApp, newPerson } from "./in-app.ts";
import { openSetting, type Setting } from "./setting.ts";

type SyncPage = { data: ({ id: string } & Partial<DocumentView> & { tombstone?: true })[]; nextCursor: string };

describe("deleting a collection", () => {
  let setting: Setting;
  let admin: AppCall;
  let key: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    key = setting.as(setting.world.people.admin);
  });
  afterAll(() => setting.close());

  const make = async (): Promise<string> =>
    (await key.post<One<{ id: string }>>("/api/v1/collections", { name: "Doomed" })).body.data.id;
  const write = async (collectionId: string, input: object = {}): Promise<DocumentView> =>
    (await key.post<One<DocumentView>>("/api/v1/documents", { collectionId, publish: true, ...input })).body.data;
  const tree = async (id: string) => {
    const top = await write(id, { title: "Top" });
    const below = await write(id, { title: "Below", parentDocumentId: top.id });
    const leaf = await write(id, { title: "Leaf", parentDocumentId: below.id });
    return { top, below, leaf };
  };

  it("takes it from sight, its documents to the trash, and tells each [decision.app.collection-delete]", async () => {
    const id = await make();
    const { top, below, leaf } = await tree(id);
    const single = await write(id, { title: "Single", publish: false });
    const events = await eventsOf(setting, async () => {
      const { body } = await admin<One<{ documentCount: number; status: string }>>("collections.delete", { id });
      expect(body.data).toMatchObject({ id, status: "deleted", documentCount: 4 });
    });
    expect(events.map((event) => event.type).sort()).toEqual([
      "collection.deleted",
      ...Array.from({ length: 4 }, () => "document.deleted"),
    ]);
    expect((await key.get(`/api/v1/collections/${id}`)).status).toBe(404);
    expect((await key.patch(`/api/v1/collections/${id}`, { name: "Back" })).status).toBe(404);
    expect((await admin("collections.delete", { id })).status).toBe(404);
    expect((await admin("collections.grants.list", { id })).status).toBe(404);
    for (const archived of [false, true]) {
      const { body } = await key.get<Many<{ id: string }>>(`/api/v1/collections?archived=${archived}`);
      expect(body.data.map((row) => row.id)).not.toContain(id);
    }
    expect((await key.post("/api/v1/documents", { collectionId: id })).status).toBe(404);
    const trash = await key.get<Page<DocumentView>>("/api/v1/documents?deleted=true&limit=100");
    const ids = [top, below, leaf, single].map((document) => document.id);
    expect(trash.body.data.filter((row) => ids.includes(row.id)).map((row) => row.collectionId)).toEqual([
      ...Array.from({ length: 4 }, () => null),
    ]);
    expect((await key.get(`/api/v1/documents/${top.id}`)).status).toBe(404);
  });

  it("restoring one brings it, with what was below it, into the collection that is named [decision.app.collection-delete]", async () => {
    const id = await make();
    const { top, below, leaf } = await tree(id);
    const single = await write(id);
    await admin("collections.delete", { id });
    const restore = (document: string, json: object = {}) =>
      key.post<Failure>(`/api/v1/documents/${document}/restore`, json);
    expect(await restore(top.id)).toMatchObject({ status: 409, body: { details: [{ path: "collectionId" }] } });
    expect((await restore(top.id, { collectionId: id })).status).toBe(404);
    const target = setting.world.collections.open;
    expect((await restore(top.id, { collectionId: target })).status).toBe(200);
    for (const [document, parent] of [
      [top, null],
      [below, top.id],
      [leaf, below.id],
    ] as const) {
      const { body } = await key.get<One<DocumentView>>(`/api/v1/documents/${document.id}`);
      expect(body.data).toMatchObject({ collectionId: target, parentDocumentId: parent });
      expect(body.data.publishedAt).toBe(document.publishedAt);
    }
    expect((await key.get(`/api/v1/documents/${single.id}`)).status).toBe(404);
  });

  it("the trash shows its documents to those alone who could see them before", async () => {
    const id = await make();
    await admin("collections.setDefaultAccess", { id, defaultAccess: "none" });
    const document = await write(id, { title: "Private" });
    await admin("collections.delete", { id });
    const editor = setting.as(setting.world.people.editor);
    const { body } = await editor.get<Page<DocumentView>>("/api/v1/documents?deleted=true&limit=100");
    expect(body.data.map((row) => row.id)).not.toContain(document.id);
    const target = { collectionId: setting.world.collections.open };
    expect((await editor.post(`/api/v1/documents/${document.id}/restore`, target)).status).toBe(404);
    expect((await key.post<object>(`/api/v1/documents/${document.id}/restore`, target)).status).toBe(200);
  });

  it("a client of the sync hears of it, and its cursor goes on [decision.sync.tombstones]", async () => {
    const id = await make();
    const document = await write(id);
    const viewer = setting.as(setting.world.people.viewer);
    const sync = "/api/v1/documents?includeDeleted=true&limit=1000";
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { nextCursor } = (await viewer.get<SyncPage>(`${sync}&updatedSince=${since}`)).body;
    await admin("collections.delete", { id });
    const { status, body } = await viewer.get<SyncPage>(`${sync}&cursor=${nextCursor}`);
    expect(status).toBe(200);
    expect(body.data).toContainEqual(expect.objectContaining({ id: document.id, tombstone: true }));
  });

  it("what is written into it at the same moment is in the trash or refused, and nothing is left behind", async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await make();
      const json = { collectionId: id, publish: true, title: "Late" };
      const [deleted, ...made] = await Promise.all([
        admin("collections.delete", { id }),
        ...Array.from({ length: 4 }, () => key.post<object>("/api/v1/documents", json)),
      ]);
      expect(deleted.status).toBe(200);
      for (const { status } of made) expect(status).toBeOneOf([201, 404]);
      const where = { teamId: setting.world.teamId, collectionId: id, deletedAt: null };
      expect(await setting.database.client.document.count({ where })).toBe(0);
    }
  });

  it("an archived collection can be deleted, with what was archived in it", async () => {
    const id = await make();
    const document = await write(id);
    await key.post<object>(`/api/v1/collections/${id}/archive`);
    expect((await admin<One<{ documentCount: number }>>("collections.delete", { id })).body.data.documentCount).toBe(1);
    expect((await key.get(`/api/v1/documents/${document.id}`)).status).toBe(404);
  });

  it("who joins the team's people later does not see the trash of a collection that was closed", async () => {
    const id = await make();
    await admin("collections.setDefaultAccess", { id, defaultAccess: "none" });
    const document = await write(id);
    await admin("collections.delete", { id });
    const late = setting.as(await newPerson(setting, "Admins"));
    const trash = await late.get<Page<DocumentView>>("/api/v1/documents?deleted=true&limit=100");
    expect(trash.body.data.map((row) => row.id)).not.toContain(document.id);
  });
});
