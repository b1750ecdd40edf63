import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, eventsOf, groupIds, inApp } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Grant = { grantee: { type: string; id: string; name: string }; level: string };
type Grants = Page<Grant> & { defaultAccess: string };
type SyncPage = { nextCursor: string };

describe("access to a collection", () => {
  let setting: Setting;
  let admin: AppCall;
  let key: ApiClient;
  let groups: Record<string, string>;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    key = setting.as(setting.world.people.admin);
    groups = await groupIds(setting);
  });
  afterAll(() => setting.close());

  const make = async (name = "Shared"): Promise<string> =>
    (await key.post<One<{ id: string }>>("/api/v1/collections", { name })).body.data.id;
  const write = async (collectionId: string, input: object = {}): Promise<DocumentView> =>
    (await key.post<One<DocumentView>>("/api/v1/documents", { collectionId, publish: true, ...input })).body.data;
  const closed = async (): Promise<string> => {
    const id = await make();
    await admin("collections.setDefaultAccess", { id, defaultAccess: "none" });
    return id;
  };

  it("is what the team may do by default, and what groups and users are given [decision.app.grants]", async () => {
    const id = await closed();
    const { viewer, editor, member } = setting.world.people;
    const statuses = () =>
      Promise.all(
        [viewer, editor, member].map(
          async (person) => (await setting.as(person).get(`/api/v1/collections/${id}`)).status,
        ),
      );
    expect(await statuses()).toEqual([404, 404, 404]);
    await admin("collections.grants.set", { id, userId: viewer.id, level: "read" });
    await admin("collections.grants.set", { id, groupId: groups.editors, level: "write" });
    expect(await statuses()).toEqual([200, 200, 404]);
    expect((await setting.as(editor).post<object>("/api/v1/documents", { collectionId: id })).status).toBe(201);
    await admin("collections.setDefaultAccess", { id, defaultAccess: "read" });
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await setting.as(member).post("/api/v1/documents", { collectionId: id })).status).toBe(403);
    const { body } = await admin<Grants>("collections.grants.list", { id });
    expect(body).toMatchObject({ defaultAccess: "read", total: 3, limit: 25, offset: 0 });
    expect(body.data.map(({ grantee, level }) => [grantee.type, grantee.id, level])).toEqual([
      ["user", setting.world.people.admin.id, "manage"],
      ["group", groups.editors, "write"],
      ["user", viewer.id, "read"],
    ]);
    expect((await admin<Grants>("collections.grants.list", { id, limit: 1, offset: 1 })).body.data).toEqual([
      body.data[1],
    ]);
  });

  it("a grant taken back is gone with the next request [decision.app.at-once]", async () => {
    const id = await closed();
    const { member } = setting.world.people;
    const document = await write(id);
    await admin("collections.grants.set", { id, userId: member.id, level: "write" });
    const path = `/api/v1/documents/${document.id}`;
    expect((await setting.as(member).patch<object>(path, { emoji: "🌱" })).status).toBe(200);
    await admin("collections.grants.set", { id, userId: member.id, level: "read" });
    expect((await setting.as(member).patch(path, { emoji: "🌳" })).status).toBe(403);
    expect((await admin("collections.grants.remove", { id, userId: member.id })).status).toBe(200);
    expect((await setting.as(member).get(path)).status).toBe(404);
    expect((await admin("collections.grants.remove", { id, userId: member.id })).status).toBe(200);
  });

  it("each change is one event, and what changes nothing is none", async () => {
    const id = await make();
    const { viewer } = setting.world.people;
    const grant = { id, userId: viewer.id, level: "read" };
    const changed = (what: string) => ({
      type: "collection.access_changed",
      data: expect.objectContaining({ id, title: "Shared", changed: [what] }),
    });
    expect(await eventsOf(setting, () => admin("collections.grants.set", grant))).toEqual([changed("grants")]);
    expect(await eventsOf(setting, () => admin("collections.grants.set", grant))).toEqual([]);
    const back = { id, userId: viewer.id };
    expect(await eventsOf(setting, () => admin("collections.grants.remove", back))).toEqual([changed("grants")]);
    expect(await eventsOf(setting, () => admin("collections.grants.remove", back))).toEqual([]);
    const open = { id, defaultAccess: "read" };
    expect(await eventsOf(setting, () => admin("collections.setDefaultAccess", open))).toEqual([
      changed("defaultAccess"),
    ]);
    expect(await eventsOf(setting, () => admin("collections.setDefaultAccess", open))).toEqual([]);
  });

  it("is changed by those who manage the collection alone [decision.app.grants]", async () => {
    const { editor, viewer } = setting.world.people;
    const call = await inApp(setting, editor);
    const { open, vault } = setting.world.collections;
    const attempts = (id: string): [string, object][] => [
      ["collections.grants.list", { id }],
      ["collections.grants.candidates", { id }],
      ["collections.grants.set", { id, userId: viewer.id, level: "read" }],
      ["collections.grants.remove", { id, userId: viewer.id }],
      ["collections.setDefaultAccess", { id, defaultAccess: "none" }],
      ["collections.delete", { id }],
    ];
    for (const [name, input] of attempts(open)) {
      expect(await call(name, input), name).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
    const absent = { status: 404, body: { error: "Collection not found", code: "not_found" } };
    for (const id of [vault, unknownId, setting.world.collections.foreign]) {
      for (const [name, input] of attempts(id)) {
        const { status, body } = await call<Failure>(name, input);
        expect({ status, body }, `${name} ${id}`).toEqual(absent);
      }
    }
  });

  it("who is made a manager manages, and the last manager stays", async () => {
    const { editor, admin: boss } = setting.world.people;
    const id = await make();
    expect(await admin("collections.grants.remove", { id, userId: boss.id })).toMatchObject({ status: 409 });
    expect(await admin("collections.grants.set", { id, userId: boss.id, level: "write" })).toMatchObject({
      status: 409,
    });
    await admin("collections.grants.set", { id, userId: editor.id, level: "manage" });
    const call = await inApp(setting, editor);
    expect((await call("collections.grants.remove", { id, userId: boss.id })).status).toBe(200);
    expect((await call("collections.grants.remove", { id, userId: editor.id })).status).toBe(409);
    await call("collections.setDefaultAccess", { id, defaultAccess: "read" });
    expect((await admin("collections.grants.list", { id })).status).toBe(403);
  });

  it("who sets up the team changes the access where they may write, when the only manager has left [decision.app.grants]", async () => {
    const { editor, admin: boss } = setting.world.people;
    const id = await make();
    await admin("collections.grants.set", { id, userId: editor.id, level: "manage" });
    await admin("collections.grants.remove", { id, userId: boss.id });
    expect((await admin("users.suspend", { id: editor.id })).status).toBe(200);
    expect((await admin("collections.grants.set", { id, userId: boss.id, level: "manage" })).status).toBe(200);
    expect((await admin("collections.grants.remove", { id, userId: editor.id })).status).toBe(200);
    await admin("users.unsuspend", { id: editor.id });
    const call = await inApp(setting, editor);
    expect(await call("collections.grants.set", { id, userId: editor.id, level: "manage" })).toMatchObject({
      status: 403,
    });
  });

  it("two managers who take the right from each other at once leave one", async () => {
    const { editor, admin: boss } = setting.world.people;
    const call = await inApp(setting, editor);
    for (let round = 0; round < 5; round += 1) {
      const id = await make();
      await admin("collections.grants.set", { id, userId: editor.id, level: "manage" });
      await admin("collections.setDefaultAccess", { id, defaultAccess: "read" });
      const replies = await Promise.all([
        admin("collections.grants.remove", { id, userId: editor.id }),
        call("collections.grants.remove", { id, userId: boss.id }),
      ]);
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 403]);
      const where = { teamId: setting.world.teamId, collectionId: id, level: "manage" as const };
      expect(await setting.database.client.collectionGrant.count({ where })).toBe(1);
    }
  });

  it("a grant names one user or one group of the team, and a level", async () => {
    const id = await make();
    const { viewer, outsider } = setting.world.people;
    const refused: [object, number][] = [
      [{ id, level: "read" }, 400],
      [{ id, userId: viewer.id, groupId: groups.editors, level: "read" }, 400],
      [{ id, userId: viewer.id, level: "none" }, 400],
      [{ id, userId: viewer.id, level: "read", until: "tomorrow" }, 400],
      [{ id, userId: outsider.id, level: "read" }, 404],
      [{ id, userId: unknownId, level: "read" }, 404],
      [{ id, groupId: unknownId, level: "read" }, 404],
      [{ id: "x", userId: viewer.id, level: "read" }, 400],
    ];
    for (const [input, status] of refused) {
      expect((await admin("collections.grants.set", input)).status, JSON.stringify(input)).toBe(status);
    }
    expect((await admin("collections.setDefaultAccess", { id, defaultAccess: "manage" })).status).toBe(400);
    expect((await admin("collections.grants.remove", { id })).status).toBe(400);
  });

  it("a sync cursor from before the caller's access was changed is 410, one of others goes on [decision.sync.access-changed]", async () => {
    const id = await closed();
    await write(id);
    const { viewer, member } = setting.world.people;
    const begin = async (client: ApiClient) =>
      (await client.get<SyncPage>("/api/v1/documents?updatedSince=1970-01-01T00:00:00Z&limit=1000")).body.nextCursor;
    const status = async (client: ApiClient, cursor: string) =>
      (await client.get<object>(`/api/v1/documents?cursor=${cursor}`)).status;
    const [seen, other] = [setting.as(viewer), setting.as(member)];
    const cursors = { seen: await begin(seen), other: await begin(other) };
    for (const change of [
      () => admin("collections.grants.set", { id, userId: viewer.id, level: "read" }),
      () => admin("collections.grants.remove", { id, userId: viewer.id }),
    ]) {
      await change();
      expect(await status(seen, cursors.seen)).toBe(410);
      expect(await status(other, cursors.other)).toBe(200);
      cursors.seen = await begin(seen);
    }
    await admin("users.groups", { id: viewer.id, groupIds: [groups.members] });
    expect(await status(seen, cursors.seen)).toBe(410);
    await admin("users.groups", { id: viewer.id, groupIds: [groups.viewers] });
  });
});
