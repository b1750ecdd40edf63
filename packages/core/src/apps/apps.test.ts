import {
  addPerson,
  allowApp,
  connectApp,
  eventsDuring,
  isConnected,
  outcomeOf,
  registerApp,
  sessionCallerOf,
  type TestCaller,
} from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);
const editor = await sessionCallerOf(world, world.people.editor);
const outsider = await sessionCallerOf(world, world.people.outsider);
await admin.run(operations.updateTeam, { mcpEnabled: true });

const list = async (by: TestCaller, input: object = {}) =>
  (await by.run(operations.listApps, { limit: 100, ...input })).data;
const listIds = async (by: TestCaller, input: object = {}) => (await list(by, input)).map((app) => app.id);
const revoke = (by: TestCaller, id: string) => by.run(operations.revokeApp, { id });
const auditEntries = (targetId: string) =>
  test.database.client.auditEntry.findMany({ where: { teamId: world.teamId, targetId }, orderBy: { id: "asc" } });

describe("connected apps", () => {
  it("are listed newest first, with their scope, their last use and their redirect URIs", {
    meta: { proves: ["oauth.apps", "decision.apps.list"] },
  }, async () => {
    const { editor: owner } = world.people;
    const app = await connectApp(world, owner, { scopes: ["read"] });
    expect(await isConnected(world, app)).toBe(true);
    expect((await list(editor))[0]).toEqual({
      id: app.grantId,
      name: "Example Assistant",
      clientId: app.clientId,
      scope: "read",
      redirectUris: ["https://app.example.com/callback"],
      user: { id: owner.id, name: owner.name },
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: expect.any(String),
      revokedAt: null,
    });
    await connectApp(world, owner, { scopes: ["read", "write"] });
    expect((await list(editor)).map(({ scope }) => scope)).toEqual(["read write", "read"]);
  });

  it("of the whole team are listed with developer.mcp, and otherwise only one's own", {
    meta: { proves: ["oauth.apps", "decision.apps.list"] },
  }, async () => {
    const person = await addPerson(world, "Members");
    await connectApp(world, world.people.editor);
    const { grantId } = await connectApp(world, person);
    expect(await listIds(await sessionCallerOf(world, person))).toEqual([grantId]);
    expect(await listIds(editor)).not.toContain(grantId);
    expect(await list(editor, { userId: person.id })).toEqual([]);
    const owners = (await list(admin)).map(({ user }) => user.id);
    expect(owners).toEqual(expect.arrayContaining([person.id, world.people.editor.id]));
    expect(await listIds(admin, { userId: person.id })).toEqual([grantId]);
    expect(await list(outsider)).toEqual([]);
    expect(await outcomeOf(list(admin, { all: true }))).toBe("validation_error");
  });

  it("that never fetched their tokens leave the list as soon as their code expires", async () => {
    const person = await addPerson(world, "Viewers");
    const { grantId } = await allowApp(world, person);
    const viewer = await sessionCallerOf(world, person);
    expect((await list(viewer)).map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([[grantId, null]]);
    const where = { teamId_id: { teamId: world.teamId, id: grantId } };
    await test.database.client.oauthGrant.update({ where, data: { expiresAt: new Date() } });
    expect(await list(viewer)).toEqual([]);
  });

  it("write an event and an audit entry with the user when they are allowed", {
    meta: { proves: ["decision.apps.told"] },
  }, async () => {
    const { id: userId } = world.people.editor;
    const clientId = await registerApp(world, "Reader");
    let id = "";
    const events = await eventsDuring(world, async () => {
      id = (await connectApp(world, world.people.editor, { clientId, scopes: ["read"] })).grantId;
    });
    const data = { id, userId, clientId, name: "Reader", scope: "read" };
    expect(events).toEqual([{ type: "app.authorized", data }]);
    const [entry] = await auditEntries(id);
    expect(entry).toMatchObject({ action: "oauth.authorize", userId, credentialKind: "session", targetId: id });
    expect(entry?.details).toMatchObject({ clientId, scopes: ["read"] });
  });
});

describe("revoking an app", () => {
  it("ends only this app's access, at once, and a repeat keeps the first time", {
    meta: { proves: ["oauth.apps", "decision.apps.revoke"] },
  }, async () => {
    const { editor: owner } = world.people;
    const app = await connectApp(world, owner);
    const other = await connectApp(world, owner);
    const events = await eventsDuring(world, async () => {
      const revoked = await revoke(editor, app.grantId);
      expect(revoked.revokedAt).toEqual(expect.any(String));
      expect(await isConnected(world, app)).toBe(false);
      expect(await isConnected(world, other)).toBe(true);
      expect(await revoke(editor, app.grantId)).toEqual(revoked);
    });
    const data = { id: app.grantId, userId: owner.id, clientId: app.clientId, name: "Example Assistant" };
    expect(events).toEqual([{ type: "app.revoked", data: { ...data, reason: "revoked" } }]);
    expect(await listIds(editor)).not.toContain(app.grantId);
  });

  it("of another user needs developer.mcp; without it the app is not found", {
    meta: { proves: ["decision.apps.revoke"] },
  }, async () => {
    const app = await connectApp(world, await addPerson(world, "Members"));
    for (const by of [editor, outsider]) expect(await outcomeOf(revoke(by, app.grantId))).toBe("not_found");
    expect(await isConnected(world, app)).toBe(true);
    expect(await outcomeOf(revoke(admin, app.grantId))).toBe("done");
    expect(await isConnected(world, app)).toBe(false);
  });

  it("twenty times at once returns the same result to all, and writes one event", async () => {
    const { grantId } = await connectApp(world, world.people.editor);
    const events = await eventsDuring(world, async () => {
      const calls = Array.from({ length: 20 }, (_, index) => revoke(index % 2 === 0 ? admin : editor, grantId));
      const times = (await Promise.all(calls)).map(({ revokedAt }) => revokedAt);
      expect(new Set(times)).toEqual(new Set([expect.any(String)]));
    });
    expect(events.map(({ type }) => type)).toEqual(["app.revoked"]);
    const actions = (await auditEntries(grantId)).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(["oauth.apps.revoke", "oauth.authorize", "oauth.revoke"]);
  });
});
