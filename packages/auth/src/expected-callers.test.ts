import { newId } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeToken, storedToken } from "./api-key.ts";
import { type ExpectedCaller, type ExpectedCallers, expectedCallers } from "./expected-callers.ts";

const now = new Date("2030-01-01T12:00:00.000Z");

describe("the expected caller of a key", () => {
  const teamId = newId();
  const userId = newId();
  const groupId = newId();
  let test: TestDatabase;
  let callers: ExpectedCallers;
  let token: string;
  let keyId: string;

  beforeAll(async () => {
    test = await testDatabase();
    const { client } = test.database;
    await client.team.create({ data: { id: teamId, name: "Team" } });
    await client.user.create({ data: { teamId, id: userId, name: "Somebody", email: "somebody@example.com" } });
    await client.group.create({ data: { teamId, id: groupId, name: "Readers", capabilities: ["document.read"] } });
    await client.membership.create({ data: { teamId, userId, groupId } });
  });
  afterAll(() => test.drop());
  beforeEach(async () => {
    callers = expectedCallers(test.database);
    token = makeToken("kb_");
    keyId = newId();
    const key = { teamId, id: keyId, userId, name: "Key", scopes: ["read"], ...storedToken(token) };
    await test.database.client.apiKey.create({ data: { ...key, lastUsedAt: now } });
  });

  const confirmed = async () => callers.expect(token, now)?.confirm();
  const expectedNow = (): ExpectedCaller => {
    const expected = callers.expect(token, now);
    if (expected === undefined) throw new Error("the key is not known");
    return expected;
  };

  it("is unknown before the first look-up of the key, and then the same object", async () => {
    expect(callers.expect(token, now)).toBeUndefined();
    const actor = await callers.authenticate(token, now);
    expect(actor).toMatchObject({ teamId, userId });
    expect(callers.expect(token, now)?.actor).toBe(actor);
    expect(await confirmed()).toBe(actor);
    expect(await callers.authenticate(token, now)).toBe(actor);
  });

  const changes: Record<string, () => Promise<unknown>> = {
    "the key was revoked": () =>
      test.database.client.apiKey.update({ where: { teamId_id: { teamId, id: keyId } }, data: { revokedAt: now } }),
    "the key has expired": () =>
      test.database.client.apiKey.update({ where: { teamId_id: { teamId, id: keyId } }, data: { expiresAt: now } }),
    "the owner was suspended": () =>
      test.database.client.user.update({ where: { teamId_id: { teamId, id: userId } }, data: { suspendedAt: now } }),
  };

  it.each(Object.keys(changes))("is nobody where %s, and is forgotten", async (change) => {
    await callers.authenticate(token, now);
    await changes[change]?.();
    expect(await confirmed()).toBeNull();
    expect(callers.expect(token, now)).toBeUndefined();
    const where = { teamId_id: { teamId, id: userId } };
    await test.database.client.user.update({ where, data: { suspendedAt: null } });
  });

  it("is confirmed by its look-up in a transaction, only while nothing has changed", async () => {
    const actor = await callers.authenticate(token, now);
    const lookUp = async (expected: ExpectedCaller) =>
      expected.inTransaction.accepts(await test.database.beforeTeam.rows(expected.inTransaction.statement));
    const same = expectedNow();
    expect(await lookUp(same)).toBe(true);
    expect(await same.confirm()).toBe(actor);
    const where = { teamId_id: { teamId, id: keyId } };
    await test.database.client.apiKey.update({ where, data: { scopes: ["read", "write"] } });
    const changed = expectedNow();
    expect(await lookUp(changed)).toBe(false);
    expect(await changed.confirm()).toMatchObject({ scopes: new Set(["read", "write"]) });
    await test.database.client.apiKey.update({ where, data: { revokedAt: now } });
    const revoked = expectedNow();
    expect(await lookUp(revoked)).toBe(false);
    expect(await revoked.confirm()).toBeNull();
    expect(callers.expect(token, now)).toBeUndefined();
  });

  it("is a new object after any change of the caller's permissions", async () => {
    const before = await callers.authenticate(token, now);
    const { client } = test.database;
    const steps = [
      () => client.apiKey.update({ where: { teamId_id: { teamId, id: keyId } }, data: { scopes: ["read", "write"] } }),
      () => client.apiKey.update({ where: { teamId_id: { teamId, id: keyId } }, data: { restricted: true } }),
      () => client.user.update({ where: { teamId_id: { teamId, id: userId } }, data: { systemAdmin: true } }),
      () => client.group.update({ where: { teamId_id: { teamId, id: groupId } }, data: { capabilities: [] } }),
      () => client.membership.deleteMany({ where: { teamId, userId } }),
    ];
    let last = before;
    for (const step of steps) {
      await step();
      const after = await confirmed();
      expect(after).not.toBeNull();
      expect(after).not.toBe(last);
      expect(callers.expect(token, now)?.actor).toBe(after);
      last = after ?? null;
    }
    expect(last).toMatchObject({ restrictedKeyId: keyId, systemAdmin: true, groupIds: [] });
    expect(last?.capabilities.size).toBe(0);
  });
});
