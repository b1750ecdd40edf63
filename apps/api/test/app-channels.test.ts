import type { DocumentView } from "@kb/core";
import { newId } from "@kb/db";
import type { Many, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, inApp, newPerson } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Channel = {
  id: string;
  name: string;
  collections: { id: string }[];
  tags: { id: string; name: string }[];
  byCollection: boolean;
  byTag: boolean;
  format: { markdown: boolean; html: boolean };
};
type Token = { id: string; name: string; token: string; prefix: string; revokedAt: string | null };

describe("publishing channels in the app", () => {
  let setting: Setting;
  let admin: AppCall;
  let open: string;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    open = setting.world.collections.open;
  });
  afterAll(() => setting.close());

  const create = async (input: object = {}): Promise<Channel> => {
    const { status, body } = await admin<One<Channel>>("channels.create", {
      name: "Help",
      collectionIds: [open],
      ...input,
    });
    expect(status).toBe(201);
    return body.data;
  };
  const token = async (channelId: string, input: object = {}): Promise<Token> =>
    (await admin<One<Token>>("channelTokens.create", { channelId, name: "Site", ...input })).body.data;
  const titles = async (channelId: string, secret: string): Promise<string[]> => {
    const path = `/api/v1/published/${channelId}/documents?limit=100`;
    return (await setting.as(secret).get<Many<{ title: string }>>(path)).body.data.map((row) => row.title);
  };
  const tag = async (): Promise<{ id: string; name: string }> =>
    (
      await setting
        .as(setting.world.people.admin)
        .post<One<{ id: string; name: string }>>("/api/v1/tags", { name: newId() })
    ).body.data;

  it("a token is created in the app, reads its channel, and is shown this once [published.token-created-in-app] [decision.app.secret-once]", async () => {
    const channel = await create({ format: { markdown: true } });
    expect(channel).toMatchObject({
      name: "Help",
      byCollection: true,
      byTag: false,
      format: { markdown: true, html: false },
    });
    const made = await token(channel.id);
    expect(made.token).toMatch(/^kbc_/);
    expect(await titles(channel.id, made.token)).toContain("Guide");
    const { body } = await admin<Page<Token>>("channelTokens.list", { channelId: channel.id });
    expect(body).toMatchObject({ total: 1, data: [{ id: made.id, name: "Site", prefix: made.prefix }] });
    expect(JSON.stringify(body)).not.toContain(made.token);
    const client = setting.as(await setting.world.session(setting.world.people.admin));
    const again = { "Idempotency-Key": "one" };
    expect((await client.post("/api/channelTokens.create", { channelId: channel.id, name: "x" }, again)).status).toBe(
      400,
    );
  });

  it("a revoked token, and any of a deleted channel, is refused with the next request [decision.app.at-once]", async () => {
    const channel = await create();
    const [first, second] = [await token(channel.id), await token(channel.id)];
    const path = `/api/v1/published/${channel.id}/documents`;
    const status = async ({ token: secret }: Token) => (await setting.as(secret).get<object>(path)).status;
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    const revoked = (await admin<One<Token>>("channelTokens.revoke", { id: first.id })).body.data;
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    expect((await admin<One<Token>>("channelTokens.revoke", { id: first.id })).body.data).toEqual(revoked);
    const listed = async (input: object) =>
      (await admin<Page<Token>>("channelTokens.list", { channelId: channel.id, ...input })).body.total;
    expect([await listed({}), await listed({ revoked: true })]).toEqual([1, 2]);
    expect((await admin("channels.delete", { id: channel.id })).status).toBe(200);
    expect(await status(second)).toBe(401);
    expect((await admin("channelTokens.list", { channelId: channel.id })).status).toBe(404);
    expect((await admin("channels.delete", { id: channel.id })).status).toBe(404);
  });

  it("a token past its end is refused; one that ends in the past is not made", async () => {
    const channel = await create();
    const past = new Date(Date.now() - 1000).toISOString();
    const reply = await admin("channelTokens.create", { channelId: channel.id, name: "Late", expiresAt: past });
    expect(reply).toMatchObject({ status: 400, body: { details: [{ path: "expiresAt" }] } });
    const { id, token: secret } = await token(channel.id, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect(await titles(channel.id, secret)).toContain("Guide");
    const where = { teamId_id: { teamId: setting.world.teamId, id } };
    await setting.database.client.channelToken.update({ where, data: { expiresAt: new Date(past) } });
    expect((await setting.as(secret).get(`/api/v1/published/${channel.id}/documents`)).status).toBe(401);
  });

  it("it names collections that the caller may read and tags that are not restricted, at least one", async () => {
    const { foreign } = setting.world.collections;
    const { hidden } = setting.world.tags;
    const refused: [object, number][] = [
      [{}, 400],
      [{ collectionIds: [], tagIds: [] }, 400],
      [{ collectionIds: [unknownId] }, 404],
      [{ collectionIds: [foreign] }, 404],
      [{ tagIds: [unknownId] }, 404],
      [{ tagIds: [hidden] }, 404],
      [{ collectionIds: [open], secret: true }, 400],
      [{ collectionIds: [open], format: { pdf: true } }, 400],
    ];
    for (const [input, status] of refused) {
      expect((await admin("channels.create", { name: "Wrong", ...input })).status, JSON.stringify(input)).toBe(status);
    }
    const outsider = await inApp(setting, setting.world.people.outsider);
    const { id } = await create();
    for (const name of ["channels.update", "channels.delete"]) {
      expect(await outsider(name, { id }), name).toMatchObject({ status: 404, body: { error: "Channel not found" } });
    }
    expect((await outsider<Page<Channel>>("channels.list")).body.total).toBe(0);
  });

  it("by tags alone it shows what the whole team may read; who may not read all that it shows neither widens it nor hands it on [decision.app.channel-sources]", async () => {
    const client = setting.as(setting.world.people.admin);
    const label = await tag();
    const { vault } = setting.world.collections;
    const write = (title: string, collectionId: string) =>
      client.post<One<DocumentView>>("/api/v1/documents", { collectionId, title, tags: [label.name], publish: true });
    await write("Labelled in the open", open);
    const secret = (await write("Labelled in the vault", vault)).body.data;
    const other = await inApp(setting, await newPerson(setting, "Admins"));
    const byTag = (await other<One<Channel>>("channels.create", { name: "Tagged", tagIds: [label.id] })).body.data;
    const made = (await other<One<Token>>("channelTokens.create", { channelId: byTag.id, name: "x" })).body.data;
    expect(await titles(byTag.id, made.token)).toEqual(["Labelled in the open"]);
    const path = `/api/v1/published/${byTag.id}/documents/${secret.id}`;
    expect((await setting.as(made.token).get(path)).status).toBe(404);
    const both = await create({ collectionIds: [vault], tagIds: [label.id] });
    expect(await titles(both.id, (await token(both.id)).token)).toEqual(["Labelled in the vault"]);
    for (const [name, input] of [
      ["channels.update", { id: both.id, tagIds: [] }],
      ["channels.update", { id: both.id, tagIds: [(await tag()).id] }],
      ["channelTokens.create", { channelId: both.id, name: "x" }],
    ] as const) {
      expect(await other(name, input), name).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
    expect((await other("channels.update", { id: both.id, name: "Ours", format: { html: true } })).status).toBe(200);
  });

  it("what it shows follows its sources: a change, a tag that is deleted, a collection that is deleted [decision.app.channel-sources]", async () => {
    const client = setting.as(setting.world.people.admin);
    const collectionId = (await client.post<One<{ id: string }>>("/api/v1/collections", { name: "News" })).body.data.id;
    const label = await tag();
    const write = (title: string, tags: string[]) =>
      client.post<One<DocumentView>>("/api/v1/documents", { collectionId, title, tags, publish: true });
    await write("Labelled", [label.name]);
    await write("Plain", []);
    const channel = await create({ collectionIds: [collectionId] });
    const { token: secret } = await token(channel.id);
    expect((await titles(channel.id, secret)).sort()).toEqual(["Labelled", "Plain"]);
    const narrowed = await admin<One<Channel>>("channels.update", {
      id: channel.id,
      tagIds: [label.id],
      name: "Fewer",
    });
    expect(narrowed.body.data).toMatchObject({ name: "Fewer", byTag: true, tags: [{ name: label.name }] });
    expect(await titles(channel.id, secret)).toEqual(["Labelled"]);
    await admin("tags.delete", { id: label.id });
    expect(await titles(channel.id, secret)).toEqual([]);
    const same = await admin<One<Channel>>("channels.update", { id: channel.id, collectionIds: [collectionId] });
    expect(same.body.data).toMatchObject({ byTag: true, tags: [] });
    expect(await titles(channel.id, secret)).toEqual([]);
    await admin("channels.update", { id: channel.id, tagIds: [] });
    expect((await titles(channel.id, secret)).sort()).toEqual(["Labelled", "Plain"]);
    await admin("collections.delete", { id: collectionId });
    expect(await titles(channel.id, secret)).toEqual([]);
    const { body } = await admin<Page<Channel>>("channels.list", { limit: 100 });
    expect(body.data.find((row) => row.id === channel.id)).toMatchObject({ byCollection: true, collections: [] });
    expect((await admin("channels.update", { id: channel.id, format: { html: true } })).status).toBe(200);
  });

  it("a collection that the caller may not see is not told, and no change of theirs takes it away", async () => {
    const { vault } = setting.world.collections;
    const channel = await create({ collectionIds: [open, vault] });
    const { token: secret } = await token(channel.id);
    const other = await inApp(setting, await newPerson(setting, "Admins"));
    const { body } = await other<Page<Channel>>("channels.list", { limit: 100 });
    expect(JSON.stringify(body)).not.toContain(vault);
    const { readable } = setting.world.collections;
    const changed = await other<One<Channel>>("channels.update", { id: channel.id, collectionIds: [readable] });
    expect(changed.body.data.collections.map((row) => row.id)).toEqual([readable]);
    expect(await titles(channel.id, secret)).toContain("Secret");
    const mine = await admin<One<Channel>>("channels.update", { id: channel.id, collectionIds: [open] });
    expect(mine.body.data.collections.map((row) => row.id)).toEqual([open]);
    expect(await titles(channel.id, secret)).not.toContain("Secret");
  });

  it("a change that changes nothing leaves no trace", async () => {
    const channel = await create();
    const same = { id: channel.id, name: "Help", collectionIds: [open], tagIds: [], format: { html: false } };
    expect((await admin<One<Channel>>("channels.update", same)).body.data).toEqual(channel);
  });

  it("a tag that is deleted while a channel takes it up widens nothing", async () => {
    for (let round = 0; round < 4; round += 1) {
      const label = await tag();
      const [made, deleted] = await Promise.all([
        admin<One<Channel>>("channels.create", { name: "Race", collectionIds: [open], tagIds: [label.id] }),
        admin("tags.delete", { id: label.id }),
      ]);
      expect(deleted.status).toBe(200);
      expect(made.status).toBeOneOf([201, 404]);
      if (made.status !== 201) continue;
      const { token: secret } = await token(made.body.data.id);
      expect(await titles(made.body.data.id, secret)).toEqual([]);
    }
  });
});
