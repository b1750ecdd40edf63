import { type Credential, createWorld, type Person, type World } from "@kb/core/testing";
import { connect, type Database, newId } from "@kb/db";
import { testDatabase } from "@kb/db/testing";
import { type ApiClient, api } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appOf } from "./setting.ts";

// Two instances of the app, each with its own pool, over one database: nothing that one of them remembers lets anybody in
// whom the other has shut out a moment ago.

describe("access that ends on one instance is refused by the next request to the other", () => {
  let world: World;
  let other: Database;
  let instances: readonly [Parameters<typeof api>[0], Parameters<typeof api>[0]];
  let close: () => Promise<void>;

  beforeAll(async () => {
    const { database, url, drop } = await testDatabase();
    world = await createWorld(database);
    other = connect({ url, applicationName: "kb-other" });
    instances = [appOf(world.service), appOf({ ...world.service, database: other })];
    close = async () => {
      await other.close();
      await drop();
    };
  });
  afterAll(() => close());

  const on = (instance: 0 | 1, credential: Credential): ApiClient => api(instances[instance], credential);
  const admin = async (): Promise<ApiClient> => on(0, await world.session(world.people.admin));

  /** Returns the statuses of both instances now; the second first, which has not seen the change. */
  async function statuses(credential: Credential, path: string): Promise<number[]> {
    const asked = [await on(1, credential).get<object>(path), await on(0, credential).get<object>(path)];
    return asked.map((reply) => reply.status);
  }

  const me = "/api/v1/me";

  async function newcomer(): Promise<Pick<Person, "id" | "email"> & { key: string }> {
    const email = `${newId()}@example.org`;
    const invited = await (await admin()).post<{ data: { user: { id: string } } }>("/api/users.invite", { email });
    const { id } = invited.body.data.user;
    const person = { ...world.people.member, id, email };
    return { id, email, key: await world.key(person, ["read", "write"]) };
  }

  it("after a key is revoked", { meta: { proves: ["decision.access.key-owner"] } }, async () => {
    const key = await world.key(world.people.editor, ["read"]);
    expect(await statuses(key, me)).toEqual([200, 200]);
    const { id } = (await world.actorOf(key)).credential;
    expect((await (await admin()).post<object>("/api/apiKeys.revoke", { id })).status).toBe(200);
    expect(await statuses(key, me)).toEqual([401, 401]);
  });

  it("after a key is revoked, for changes too, which write nothing", async () => {
    const key = await world.key(world.people.editor, ["read", "write"]);
    const { open } = world.collections;
    const create = { collectionId: open, title: "Kept", text: "Text" };
    const created = await on(1, key).post<{ data: { id: string } }>("/api/v1/documents", create);
    const path = `/api/v1/documents/${created.body.data.id}`;
    expect((await on(1, key).patch<object>(path, { title: "Kept again" })).status).toBe(200);
    const { id } = (await world.actorOf(key)).credential;
    expect((await (await admin()).post<object>("/api/apiKeys.revoke", { id })).status).toBe(200);
    const countDocuments = () => other.client.document.count({ where: { teamId: world.teamId } });
    const before = await countDocuments();
    const refused = [
      await on(1, key).post<object>("/api/v1/documents", create),
      await on(1, key).patch<object>(path, { title: "Changed" }),
      await on(1, key).post<object>(`${path}/edits`, { op: "append", markdown: "More" }),
      await on(0, key).patch<object>(path, { title: "Changed" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(await countDocuments()).toBe(before);
    const kept = await on(0, world.people.admin.key).get<{ data: object }>(path);
    expect(kept.body.data).toMatchObject({ title: "Kept again", revision: 2, text: "Text" });
  });

  it("after a change of the caller, a change of theirs is made once, as the current caller", async () => {
    const person = await newcomer();
    const create = () =>
      on(1, person.key).post<object>("/api/v1/documents", { collectionId: world.collections.open, title: "Once" });
    const countCreated = () =>
      other.client.document.count({ where: { teamId: world.teamId, createdById: person.id, title: "Once" } });
    expect((await create()).status).toBe(201);
    await other.client.user.updateMany({ where: { teamId: world.teamId, id: person.id }, data: { name: "New name" } });
    expect((await create()).status).toBe(201);
    expect(await countCreated()).toBe(2);
    const { id } = (await world.actorOf(person.key)).credential;
    await other.client.apiKey.updateMany({ where: { teamId: world.teamId, id }, data: { scopes: ["read"] } });
    expect((await create()).status).toBe(403);
    await other.client.apiKey.updateMany({ where: { teamId: world.teamId, id }, data: { scopes: ["read", "write"] } });
    expect((await create()).status).toBe(201);
    expect(await countCreated()).toBe(3);
  });

  it("after a user is suspended, for their keys and sessions; the keys work again afterwards", {
    meta: { proves: ["decision.access.key-owner"] },
  }, async () => {
    const person = await newcomer();
    const session = await world.session({ ...world.people.member, id: person.id });
    expect(await statuses(person.key, me)).toEqual([200, 200]);
    expect(await statuses(session, me)).toEqual([200, 200]);
    await (await admin()).post<object>("/api/users.suspend", { id: person.id });
    expect(await statuses(person.key, me)).toEqual([401, 401]);
    expect(await statuses(session, me)).toEqual([401, 401]);
    await (await admin()).post<object>("/api/users.unsuspend", { id: person.id });
    expect(await statuses(person.key, me)).toEqual([200, 200]);
    expect(await statuses(session, me)).toEqual([401, 401]);
  });

  it("after the grant of a user is removed, for every document of the collection", {
    meta: { proves: ["decision.access.collection"] },
  }, async () => {
    const { vault } = world.collections;
    const { viewer } = world.people;
    const places = [`/api/v1/collections/${vault}`, `/api/v1/documents/${world.documents.secret.id}`];
    const grant = { id: vault, userId: viewer.id };
    for (const path of places) expect(await statuses(viewer.key, path)).toEqual([404, 404]);
    await (await admin()).post<object>("/api/collections.grants.set", { ...grant, level: "read" });
    for (const path of places) expect(await statuses(viewer.key, path)).toEqual([200, 200]);
    await (await admin()).post<object>("/api/collections.grants.remove", grant);
    for (const path of places) expect(await statuses(viewer.key, path)).toEqual([404, 404]);
    const found = await on(1, viewer.key).get<{ total: number }>("/api/v1/search?query=zebra");
    expect(found.body.total).toBe(0);
  });

  it("after a group is removed, for the capabilities of its members", {
    meta: { proves: ["decision.access.groups"] },
  }, async () => {
    const person = await newcomer();
    const create = async (): Promise<number> =>
      (await on(1, person.key).post<object>("/api/v1/documents", { collectionId: world.collections.open })).status;
    expect(await create()).toBe(201);
    await (await admin()).post<object>("/api/users.groups", { id: person.id, groupIds: [] });
    expect(await create()).toBe(403);
    expect(await statuses(person.key, "/api/v1/documents")).toEqual([403, 403]);
  });

  it("after the restrictions of a key are reduced", { meta: { proves: ["decision.access.restricted"] } }, async () => {
    const { open } = world.collections;
    const path = `/api/v1/collections/${open}`;
    const key = await world.key(world.people.editor, ["read"], { restrictions: { collections: { [open]: "read" } } });
    expect(await statuses(key, path)).toEqual([200, 200]);
    const { id } = (await world.actorOf(key)).credential;
    const own = on(0, await world.session(world.people.editor));
    const restrictions = { collections: {}, documents: {} };
    expect((await own.post<object>("/api/apiKeys.update", { id, restrictions })).status).toBe(200);
    expect(await statuses(key, path)).toEqual([404, 404]);
  });

  it("after a channel's token is revoked, or the channel is deleted", {
    meta: { proves: ["published.token-scope"] },
  }, async () => {
    const boss = await admin();
    const given = { name: "Channel", collectionIds: [world.collections.open] };
    const channel = (await boss.post<{ data: { id: string } }>("/api/channels.create", given)).body.data.id;
    const make = async (): Promise<{ id: string; token: string }> =>
      (
        await boss.post<{ data: { id: string; token: string } }>("/api/channelTokens.create", {
          channelId: channel,
          name: "x",
        })
      ).body.data;
    const revoked = await make();
    const left = await make();
    const path = `/api/v1/published/${channel}/documents`;
    expect(await statuses(revoked.token, path)).toEqual([200, 200]);
    await boss.post<object>("/api/channelTokens.revoke", { id: revoked.id });
    expect(await statuses(revoked.token, path)).toEqual([401, 401]);
    expect(await statuses(left.token, path)).toEqual([200, 200]);
    await boss.post<object>("/api/channels.delete", { id: channel });
    expect(await statuses(left.token, path)).toEqual([401, 401]);
  });
});
