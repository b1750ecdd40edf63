import type { DocumentView } from "@kb/core";
import type { ApiClient, One } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("groups and collection access", () => {
  let setting: Setting;
  let admin: ApiClient;
  let editor: ApiClient;
  let member: ApiClient;
  let viewer: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    const { people } = setting.world;
    admin = setting.as(people.admin);
    editor = setting.as(people.editor);
    member = setting.as(people.member);
    viewer = setting.as(people.viewer);
  });
  afterAll(() => setting.close());

  const create = async (by: ApiClient, input: object = {}): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, ...input };
    return (await by.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };

  it("viewers read and change nothing [decision.access.groups]", async () => {
    const { documents, collections } = setting.world;
    const guide = `/api/v1/documents/${documents.guide.id}`;
    expect((await viewer.get<object>(guide)).status).toBe(200);
    const refused = [
      await viewer.post("/api/v1/documents", { collectionId: collections.open }),
      await viewer.patch(guide, { title: "Mine" }),
      await viewer.delete(guide),
      await viewer.post(`${guide}/archive`),
      await viewer.post(`${guide}/edits`, { op: "append", markdown: "x" }),
      await viewer.post("/api/v1/collections", { name: "Mine" }),
      await viewer.patch(`/api/v1/collections/${collections.open}`, { name: "Mine" }),
      await viewer.post(`/api/v1/collections/${collections.open}/archive`),
      await viewer.post("/api/v1/tags", { name: "mine" }),
    ];
    for (const reply of refused) expect(reply).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("members create and edit, but set up no collections [decision.access.groups]", async () => {
    const { collections, documents } = setting.world;
    expect((await member.patch<object>(`/api/v1/documents/${documents.child.id}`, { emoji: "🌱" })).status).toBe(200);
    expect((await member.post("/api/v1/collections", { name: "Mine" })).status).toBe(403);
    expect((await member.patch(`/api/v1/collections/${collections.open}`, { name: "Mine" })).status).toBe(403);
  });

  it("members publish and delete what they themselves created, and nothing else [decision.access.members-own]", async () => {
    const own = await create(member);
    const others = await create(editor);
    const path = `/api/v1/documents/${own.id}`;
    expect((await member.patch<object>(path, { published: true })).status).toBe(200);
    expect((await member.post<object>(`${path}/archive`)).status).toBe(200);
    expect((await member.post<object>(`${path}/unarchive`)).status).toBe(200);
    expect((await member.delete<object>(path)).status).toBe(200);
    expect((await member.post<object>(`${path}/restore`)).status).toBe(200);
    expect((await member.patch(`/api/v1/documents/${others.id}`, { published: true })).status).toBe(403);
    expect((await member.delete(`/api/v1/documents/${others.id}`)).status).toBe(403);
    expect((await member.post(`/api/v1/documents/${others.id}/archive`)).status).toBe(403);
  });

  it("editors publish and delete what others created [decision.access.groups]", async () => {
    const others = await create(member);
    const path = `/api/v1/documents/${others.id}`;
    expect((await editor.patch<object>(path, { published: true })).status).toBe(200);
    expect((await editor.delete<object>(path)).status).toBe(200);
  });

  it("a grant to a group raises what the team may do [decision.access.collection]", async () => {
    const { readable } = setting.world.collections;
    expect((await member.post("/api/v1/documents", { collectionId: readable })).status).toBe(403);
    expect((await editor.post<object>("/api/v1/documents", { collectionId: readable })).status).toBe(201);
  });

  it("a grant to a user raises what the team may do [decision.access.collection]", async () => {
    const { granted } = setting.world.collections;
    const path = `/api/v1/collections/${granted}`;
    expect((await viewer.get<object>(path)).status).toBe(200);
    expect((await editor.get(path)).status).toBe(404);
    expect((await member.post<object>("/api/v1/documents", { collectionId: granted })).status).toBe(201);
    expect((await editor.post("/api/v1/documents", { collectionId: granted })).status).toBe(404);
  });

  it("a grant of write to a viewer gives no right that the group lacks [decision.access.collection]", async () => {
    const { world } = setting;
    await world.grant(world.collections.readable, world.people.viewer.id, "write");
    expect((await viewer.post("/api/v1/documents", { collectionId: world.collections.readable })).status).toBe(403);
  });

  it("the highest of default and grants wins: a grant never takes away [decision.access.collection]", async () => {
    const { world } = setting;
    await world.grant(world.collections.open, world.people.member.id, "read");
    expect((await member.post<object>("/api/v1/documents", { collectionId: world.collections.open })).status).toBe(201);
  });

  it("a new collection may be written in by the whole team [decision.access.collection]", async () => {
    const { body } = await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Fresh" });
    expect((await member.post<object>("/api/v1/documents", { collectionId: body.data.id })).status).toBe(201);
  });

  it("a draft is seen by its author and by those who may edit in its collection [decision.documents.draft-visibility]", async () => {
    const { documents } = setting.world;
    const sees = async (who: ApiClient, document: DocumentView): Promise<boolean> => {
      const one = await who.get<object>(`/api/v1/documents/${document.id}`);
      const listed = await who.get<{ data: DocumentView[] }>(`/api/v1/documents?status=draft&limit=100`);
      const isListed = listed.body.data.some((row) => row.id === document.id);
      expect(isListed).toBe(one.status === 200);
      return isListed;
    };
    expect(await sees(admin, documents.memberDraft)).toBe(true);
    expect(await sees(editor, documents.memberDraft)).toBe(true);
    expect(await sees(member, documents.memberDraft)).toBe(true);
    expect(await sees(viewer, documents.memberDraft)).toBe(false);
    expect(await sees(editor, documents.adminDraft)).toBe(true);
    expect(await sees(member, documents.adminDraft)).toBe(false);
    const own = await create(member);
    await setting.world.setDefaultAccess(setting.world.collections.open, "read");
    expect(await sees(member, own)).toBe(true);
    await setting.world.setDefaultAccess(setting.world.collections.open, "write");
  });

  it("teams see nothing of each other [service.workspace]", async () => {
    const outsider = setting.as(setting.world.people.outsider);
    const { body } = await outsider.get<{ total: number; data: DocumentView[] }>("/api/v1/documents");
    expect(body.data.map((row) => row.id)).toEqual([setting.world.documents.foreign.id]);
    expect(body.total).toBe(1);
    const collections = await outsider.get<{ data: { id: string }[] }>("/api/v1/collections");
    expect(collections.body.data.map((row) => row.id)).toEqual([setting.world.collections.foreign]);
    expect((await outsider.get<{ data: object[] }>("/api/v1/tags")).body.data).toEqual([]);
  });
});
