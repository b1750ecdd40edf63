import { admin } from "@kb/core";
import { api } from "@kb/http/testing";
import { type TestClock, testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("the tokens of channels", () => {
  const queries: string[] = [];
  let setting: Setting;
  let clock: TestClock;
  let channel: { id: string; token: string };
  let documents: string;
  beforeAll(async () => {
    clock = testClock();
    setting = await openSetting({ clock, connect: { onQuery: (text) => queries.push(text) } });
    channel = await open();
    documents = `/api/v1/published/${channel.id}/documents`;
  });
  afterAll(() => setting.close());

  const open = () => {
    const { service, teamId, collections } = setting.world;
    return admin.createChannel(service, { name: "Site", collections: [collections.open], tags: [], team: teamId });
  };
  const tokenRow = async (channelId: string) => {
    const { teamId } = setting.world;
    const row = await setting.database.client.channelToken.findFirst({ where: { teamId, channelId } });
    if (row === null) throw new Error("the channel has no token");
    return row;
  };
  const change = async (channelId: string, data: { revokedAt?: Date; expiresAt?: Date }) => {
    const { teamId, id } = await tokenRow(channelId);
    await setting.database.client.channelToken.update({ where: { teamId_id: { teamId, id } }, data });
  };
  const both = (): string[] => [documents, `${documents}/${setting.world.documents.guide.id}`];

  it("a token reads the documents of its channel", { meta: { proves: ["published.credential"] } }, async () => {
    for (const path of both()) expect((await setting.as(channel.token).get<object>(path)).status).toBe(200);
  });

  it("missing, malformed, unknown, expired and revoked tokens are 401", {
    meta: { proves: ["published.unauthorized", "decision.channels.refusals"] },
  }, async () => {
    const expired = await open();
    const revoked = await open();
    await change(expired.id, { expiresAt: clock.now() });
    await change(revoked.id, { revokedAt: clock.now() });
    const refused = (path: string, token: string | null) => api(setting.app, token).get(path);
    for (const path of both()) {
      expect(await refused(path, null)).toMatchObject({ status: 401, body: { code: "authentication_required" } });
    }
    const { id: goneId, token: unknown } = await open();
    const { teamId } = setting.world;
    await setting.database.client.channelToken.deleteMany({ where: { teamId, channelId: goneId } });
    const bad = ["kbc_", "nonsense", `${channel.token.slice(0, -1)}!`, channel.token.toUpperCase(), unknown];
    for (const token of bad) {
      for (const path of both()) {
        const { status, body, headers } = await refused(path, token);
        expect({ status, code: body.code }, token).toEqual({ status: 401, code: "invalid_token" });
        expect(headers.get("WWW-Authenticate")).toBe("Bearer");
      }
    }
    for (const { id, token } of [expired, revoked]) {
      const own = `/api/v1/published/${id}/documents`;
      expect(await refused(own, token)).toMatchObject({ status: 401, body: { code: "invalid_token" } });
    }
    const later = await open();
    await change(later.id, { expiresAt: new Date(clock.now().getTime() + 1000) });
    expect((await refused(`/api/v1/published/${later.id}/documents`, later.token)).status).toBe(200);
  });

  it("a revoked token, and a token of a deleted channel, is refused by the next request", {
    meta: { proves: ["published.unauthorized"] },
  }, async () => {
    const { id, token } = await open();
    const { teamId } = setting.world;
    const client = api(setting.app, token);
    const path = `/api/v1/published/${id}/documents`;
    expect((await client.get<object>(path)).status).toBe(200);
    await setting.database.client.channel.delete({ where: { teamId_id: { teamId, id } } });
    expect((await client.get(path)).status).toBe(401);
  });

  it("a token of another channel is 403, whether that channel exists or not", {
    meta: { proves: ["published.token-mismatch", "published.token-scope"] },
  }, async () => {
    const other = await open();
    const foreign = await admin.createChannel(setting.world.service, {
      name: "Theirs",
      collections: [setting.world.collections.foreign],
      tags: [],
      team: setting.world.people.outsider.actor.teamId,
    });
    for (const id of [other.id, foreign.id, unknownId]) {
      for (const path of [`/api/v1/published/${id}/documents`, `/api/v1/published/${id}/documents/${unknownId}`]) {
        const reply = await setting.as(channel.token).get(path);
        expect(reply, path).toMatchObject({ status: 403, body: { code: "forbidden" } });
      }
    }
  });

  it("a user's API key and a session are 401 here", {
    meta: { proves: ["published.credential", "published.token-scope", "decision.channels.refusals"] },
  }, async () => {
    const { world } = setting;
    const session = await world.session(world.people.admin);
    const keys = [world.people.admin.key, await world.key(world.people.admin, ["admin"])];
    for (const path of both()) {
      for (const key of keys) expect((await setting.as(key).get(path)).status).toBe(401);
      expect((await api(setting.app, session).get(path)).status).toBe(401);
    }
  });

  it("a channel's token is 401 on every other route", {
    meta: { proves: ["published.token-scope", "decision.channels.refusals"] },
  }, async () => {
    const description = await (await setting.app.request("/openapi.json")).json();
    const others = Object.entries<Record<string, unknown>>(description.paths).flatMap(([path, methods]) =>
      path.startsWith("/api/v1/published/") || path === "/api/health" || !path.startsWith("/api/")
        ? []
        : Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, unknownId)] as const),
    );
    expect(others.length).toBeGreaterThan(20);
    for (const [method, path] of [...others, ["GET", "/api/v1/nothing"], ["GET", "/api/v1/published"]] as const) {
      const sending = method === "GET" || method === "PUT" ? {} : { json: {} };
      if (method === "PUT") continue;
      expect((await setting.as(channel.token).send(method, path, sending)).status, `${method} ${path}`).toBe(401);
    }
  });

  it("a malformed id in the path is 404, another method 405", {
    meta: { proves: ["decision.api.uuid-path"] },
  }, async () => {
    const client = setting.as(channel.token);
    for (const path of ["/api/v1/published/nothing/documents", `${documents}/nothing`, `${documents}/${unknownId}/x`]) {
      expect((await client.get(path)).status, path).toBe(404);
    }
    expect((await client.post(documents, {})).status).toBe(405);
    expect((await client.delete(`${documents}/${unknownId}`)).status).toBe(405);
  });

  it("one indexed look-up per request, none for a malformed token; lastUsedAt changes at most once a minute", {
    meta: { proves: ["decision.channels.last-use"] },
  }, async () => {
    const { id, token } = await open();
    const path = `/api/v1/published/${id}/documents`;
    const ask = async (credential = token): Promise<string[]> => {
      queries.length = 0;
      await api(setting.app, credential).get<object>(path);
      return [...queries];
    };
    const lookUps = (texts: string[]): number => texts.filter((text) => /FROM channel_tokens k/.test(text)).length;
    const notes = (texts: string[]): number => texts.filter((text) => /^UPDATE .*channel_tokens/s.test(text)).length;
    const first = await ask();
    expect([lookUps(first), notes(first)]).toEqual([1, 1]);
    expect((await tokenRow(id)).lastUsedAt).toEqual(clock.now());
    const used = clock.now();
    clock.advance(59_999);
    const second = await ask();
    expect([lookUps(second), notes(second)]).toEqual([1, 0]);
    expect((await tokenRow(id)).lastUsedAt).toEqual(used);
    clock.advance(1);
    expect(notes(await ask())).toBe(1);
    expect((await tokenRow(id)).lastUsedAt).toEqual(clock.now());
    expect(await ask("kbc_nonsense")).toEqual([]);
    expect(await ask(setting.world.people.admin.key)).toEqual([]);
    expect(second.filter((text) => !/FROM channel_tokens k/.test(text))).toHaveLength(1);
  });

  it("has its own rate limit, apart from those of users and of its client address", {
    meta: { proves: ["decision.channels.rate-limit"] },
  }, async () => {
    const limited = await openSetting({ perMinute: 3 });
    try {
      const { service, teamId, collections, people } = limited.world;
      const input = { name: "Site", collections: [collections.open], tags: [], team: teamId };
      const one = await admin.createChannel(service, input);
      const two = await admin.createChannel(service, input);
      const ask = async ({ id, token }: { id: string; token: string }): Promise<number> =>
        (await limited.as(token).get<object>(`/api/v1/published/${id}/documents`)).status;
      for (const expected of [200, 200, 200, 429]) expect(await ask(one)).toBe(expected);
      expect(await ask(two)).toBe(200);
      expect((await limited.as(people.editor).get<object>("/api/v1/me")).status).toBe(200);
      for (const expected of [401, 401, 401, 429]) {
        expect((await limited.as("kbc_bad").get(`/api/v1/published/${one.id}/documents`)).status).toBe(expected);
      }
    } finally {
      await limited.close();
    }
  });
});
