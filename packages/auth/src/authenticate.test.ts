import { newId } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { activeUser } from "./active-user.ts";
import type { Actor } from "./actor.ts";
import { makeToken, storedToken } from "./api-key.ts";
import { authenticateApiKey } from "./authenticate.ts";
import { authenticateChannelToken, isChannelReader } from "./channel-reader.ts";

const now = new Date("2030-01-01T12:00:00.000Z");
const later = (ms: number): Date => new Date(now.getTime() + ms);

describe("authentication", () => {
  const statements: string[] = [];
  const teamId = newId();
  const userId = newId();
  const readers = newId();
  const writers = newId();
  const foreign = newId();
  const channelId = newId();
  let test: TestDatabase;

  beforeAll(async () => {
    test = await testDatabase({ onQuery: (text) => statements.push(text) });
    const { client } = test.database;
    await client.team.createMany({ data: [teamId, foreign].map((id) => ({ id, name: "Team" })) });
    const user = { id: userId, name: "Somebody", email: "somebody@example.com" };
    await client.user.create({ data: { teamId, ...user } });
    await client.user.create({ data: { ...user, teamId: foreign, email: "other@example.com", systemAdmin: true } });
    const held = { [readers]: ["document.read", "export"], [writers]: ["document.read", "document.edit", "no.longer"] };
    await client.group.createMany({
      data: Object.entries(held).map(([id, capabilities]) => ({ teamId, id, name: id, capabilities })),
    });
    await client.group.create({ data: { teamId: foreign, id: readers, name: "x", capabilities: ["audit.read"] } });
    await client.membership.createMany({
      data: [readers, writers].map((groupId) => ({ teamId, userId, groupId })),
    });
    await client.membership.create({ data: { teamId: foreign, userId, groupId: readers } });
    await client.channel.create({ data: { teamId, id: channelId, name: "Channel", byTag: true, markdown: true } });
  });
  afterAll(() => test.drop());

  type Key = { restricted?: boolean; expiresAt?: Date; revokedAt?: Date; lastUsedAt?: Date; scopes?: string[] };

  async function apiKey(changes: Key = {}): Promise<{ id: string; token: string }> {
    const id = newId();
    const token = makeToken("kb_");
    const key = { teamId, id, userId, name: "Key", scopes: ["read"], ...storedToken(token), ...changes };
    await test.database.client.apiKey.create({ data: key });
    return { id, token };
  }

  async function channelToken(changes: Key = {}): Promise<{ id: string; token: string }> {
    const id = newId();
    const token = makeToken("kbc_");
    const row = { teamId, id, channelId, name: "Token", ...storedToken(token), ...changes };
    await test.database.client.channelToken.create({ data: row });
    return { id, token };
  }

  const kinds = {
    "an API key": { make: apiKey, find: (token: string, at = now) => authenticateApiKey(test.database, token, at) },
    "a channel token": {
      make: channelToken,
      find: (token: string, at = now) => authenticateChannelToken(test.database, token, at),
    },
  };

  it("returns the owner of an API key, with the capabilities of their groups that this release knows", {
    meta: { proves: ["decision.access.key-owner"] },
  }, async () => {
    const { id, token } = await apiKey({ scopes: ["read", "admin"] });
    const actor = await kinds["an API key"].find(token);
    const groupIds = [...(actor?.groupIds ?? [])].sort();
    expect({ ...actor, groupIds }).toEqual({
      teamId,
      userId,
      userName: "Somebody",
      email: "somebody@example.com",
      systemAdmin: false,
      capabilities: new Set(["document.read", "document.edit", "export"]),
      groupIds: [readers, writers].sort(),
      scopes: new Set(["read", "admin"]),
      credential: { kind: "api_key", id, name: "Key" },
      restrictedKeyId: null,
      mcp: { mcpEnabled: false, mcpSwitchedAt: null },
    } satisfies Actor);
    expect(actor !== null && isChannelReader(actor)).toBe(false);
  });

  it("marks the caller of a restricted key as restricted", async () => {
    const { id, token } = await apiKey({ restricted: true });
    expect((await kinds["an API key"].find(token))?.restrictedKeyId).toBe(id);
  });

  it("returns the reader of the channel for a channel token, with the filters and settings of the channel", async () => {
    const { id, token } = await channelToken();
    const reader = await kinds["a channel token"].find(token);
    expect(reader).toEqual({
      teamId,
      channelId,
      byCollection: false,
      byTag: true,
      markdown: true,
      html: false,
      credential: { kind: "channel_token", id, name: "Token" },
    });
    expect(reader !== null && isChannelReader(reader)).toBe(true);
  });

  it("activeUser returns the caller on whose behalf the service reads, and null for a suspended user", async () => {
    const { database } = test;
    const seen = await activeUser(database, teamId, userId);
    expect(seen).toMatchObject({ teamId, userId, restrictedKeyId: null, scopes: new Set(["read"]) });
    expect(seen?.capabilities).toEqual(new Set(["document.read", "document.edit", "export"]));
    expect(seen?.credential.kind).toBe("system");
    expect(await activeUser(database, teamId, newId())).toBeNull();
    const where = { teamId_id: { teamId, id: userId } };
    await database.client.user.update({ where, data: { suspendedAt: now } });
    expect(await activeUser(database, teamId, userId)).toBeNull();
    await database.client.user.update({ where, data: { suspendedAt: null } });
  });

  it("the keys of a suspended user stop at once, and work again after the suspension", {
    meta: { proves: ["decision.access.key-owner"] },
  }, async () => {
    const { token } = await apiKey();
    const where = { teamId_id: { teamId, id: userId } };
    await test.database.client.user.update({ where, data: { suspendedAt: now } });
    expect(await kinds["an API key"].find(token)).toBeNull();
    await test.database.client.user.update({ where, data: { suspendedAt: null } });
    expect(await kinds["an API key"].find(token)).not.toBeNull();
  });

  describe.each(["an API key", "a channel token"] as const)("%s", (kind) => {
    const { make, find } = kinds[kind];

    it("is rejected if it is unknown or revoked", async () => {
      expect(await find(makeToken("kb_"))).toBeNull();
      expect(await find(makeToken("kbc_"))).toBeNull();
      const { token } = await make({ revokedAt: later(1000) });
      expect(await find(token)).toBeNull();
    });

    it("expires exactly at its expiry time", { meta: { proves: ["decision.access.key-expiry"] } }, async () => {
      const { token } = await make({ expiresAt: later(5) });
      expect(await find(token, later(4))).not.toBeNull();
      expect(await find(token, later(5))).toBeNull();
    });

    it("is rejected without a look-up if its checksum or kind is wrong", {
      meta: { proves: ["decision.access.key-format"] },
    }, async () => {
      const { token } = await make();
      statements.length = 0;
      const other = token.endsWith("0") ? "1" : "0";
      for (const text of [token.slice(0, -1) + other, "", "kb_", token.replace(/^kbc?_/, "kx_")]) {
        expect(await find(text)).toBeNull();
      }
      expect(await find(makeToken(kind === "an API key" ? "kbc_" : "kb_"))).toBeNull();
      expect(statements).toEqual([]);
    });

    it("records its use at most once a minute", async () => {
      const { id, token } = await make();
      const used = async (at: Date): Promise<Date | null | undefined> => {
        await find(token, at);
        const where = { teamId_id: { teamId, id } };
        const { apiKey: keys, channelToken: tokens } = test.database.client;
        const row = kind === "an API key" ? await keys.findUnique({ where }) : await tokens.findUnique({ where });
        return row?.lastUsedAt;
      };
      expect(await used(now)).toEqual(now);
      expect(await used(later(59_999))).toEqual(now);
      statements.length = 0;
      await find(token, later(59_999));
      expect(statements).toHaveLength(1);
      expect(await used(later(60_000))).toEqual(later(60_000));
    });

    it("records its use once for a hundred concurrent requests", async () => {
      const { token } = await make();
      await Promise.all(Array.from({ length: 20 }, () => find(token)));
      statements.length = 0;
      await Promise.all(Array.from({ length: 20 }, () => find(token, later(1))));
      expect(statements.filter((text) => text.startsWith("UPDATE"))).toEqual([]);
    });
  });
});
