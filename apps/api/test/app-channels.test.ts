import { addPerson } from "@kb/core/testing";
import type { Many, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, inApp } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Channel = { id: string; name: string };
type Token = { id: string; name: string; token: string; prefix: string };

describe("publishing channels in the app over HTTP", () => {
  let setting: Setting;
  let admin: AppCall;
  let open: string;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    open = setting.world.collections.open;
  });
  afterAll(() => setting.close());

  const create = (input: object = {}) =>
    admin<One<Channel>>("channels.create", { name: "Help", collectionIds: [open], ...input });
  const createToken = async (channelId: string): Promise<Token> =>
    (await admin<One<Token>>("channelTokens.create", { channelId, name: "Site" })).body.data;
  const read = (channelId: string, token: string) =>
    setting.as(token).get<Many<{ title: string }>>(`/api/v1/published/${channelId}/documents?limit=100`);

  it("a channel and its token are created with 201, and no later response contains the token", {
    meta: { proves: ["published.token-created-in-app", "decision.app.secret-once"] },
  }, async () => {
    const created = await create({ format: { markdown: true } });
    expect(created).toMatchObject({
      status: 201,
      body: { data: { name: "Help", byCollection: true, byTag: false, format: { markdown: true, html: false } } },
    });
    const { id } = created.body.data;
    const reply = await admin<One<Token>>("channelTokens.create", { channelId: id, name: "Site" });
    expect(reply.status).toBe(201);
    const made = reply.body.data;
    const published = await read(id, made.token);
    expect(published.status).toBe(200);
    expect(published.body.data.map((row) => row.title)).toContain("Guide");
    const { status, body } = await admin<Page<Token>>("channelTokens.list", { channelId: id });
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 1, data: [{ id: made.id, name: "Site", prefix: made.prefix }] });
    expect(JSON.stringify(body)).not.toContain(made.token);
  });

  it("returns 400 for an Idempotency-Key on the creation of a token", async () => {
    const client = setting.as(await setting.world.session(setting.world.people.admin));
    const input = { channelId: (await create()).body.data.id, name: "x" };
    const { status } = await client.post("/api/channelTokens.create", input, { "Idempotency-Key": "one" });
    expect(status).toBe(400);
  });

  it("a revoked token, and every token of a deleted channel, is 401 with the next request", {
    meta: { proves: ["decision.app.at-once"] },
  }, async () => {
    const { id } = (await create()).body.data;
    const first = await createToken(id);
    const second = await createToken(id);
    expect((await read(id, first.token)).status).toBe(200);
    expect((await admin("channelTokens.revoke", { id: first.id })).status).toBe(200);
    expect((await read(id, first.token)).status).toBe(401);
    expect((await read(id, second.token)).status).toBe(200);
    const deleted = await admin<One<object>>("channels.delete", { id });
    expect(deleted).toMatchObject({ status: 200, body: { data: { id, status: "deleted" } } });
    expect((await read(id, second.token)).status).toBe(401);
    expect((await admin("channelTokens.list", { channelId: id })).status).toBe(404);
  });

  it("a channel is listed and changed with 200; no source is 400, an unknown source 404, and a source without access 403", async () => {
    const { vault } = setting.world.collections;
    const { id } = (await create({ collectionIds: [vault], tagIds: [setting.world.tags.guide] })).body.data;
    const list = await admin<Page<Channel>>("channels.list", { limit: 100 });
    expect(list).toMatchObject({ status: 200, body: { total: list.body.data.length, limit: 100, offset: 0 } });
    const renamed = await admin<One<Channel>>("channels.update", { id, name: "News" });
    expect(renamed).toMatchObject({ status: 200, body: { data: { id, name: "News" } } });
    expect((await admin("channels.create", { name: "Wrong" })).status).toBe(400);
    expect((await admin("channels.create", { name: "Wrong", collectionIds: [unknownId] })).status).toBe(404);
    const outsider = await inApp(setting, setting.world.people.outsider);
    expect(await outsider("channels.update", { id })).toMatchObject({
      status: 404,
      body: { error: "Channel not found" },
    });
    const other = await inApp(setting, await addPerson(setting.world, "Admins"));
    expect(await other("channels.update", { id, tagIds: [] })).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
  });
});
