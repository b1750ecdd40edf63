import { verifyPassword } from "@kb/auth";
import { addPerson, allowApp, callerOf, groupIdsOf, outcomeOf, sessionCallerOf, unknownId } from "@kb/core/testing";
import { newId } from "@kb/db";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);
const groups = await groupIdsOf(world);
await admin.run(operations.updateTeam, { mcpEnabled: true });

const invite = (input: object = {}) => admin.run(operations.inviteUser, { email: `${newId()}@example.org`, ...input });
const list = (input: object = {}) => admin.run(operations.listUsers, input);
const readUser = (id: string) =>
  test.database.client.user.findUniqueOrThrow({ where: { teamId_id: { teamId: world.teamId, id } } });
const readGrant = (id: string) =>
  test.database.client.oauthGrant.findUniqueOrThrow({ where: { teamId_id: { teamId: world.teamId, id } } });

it("the people of a team are listed by name, in pages, filtered by name, group and state", async () => {
  const { user } = await invite({ name: "Zenobia of the list", groupIds: [groups.viewers] });
  const all = await list({ limit: 100 });
  expect(all.total).toBe(all.data.length);
  expect(all.data.map((row) => row.name)).toEqual(
    [...all.data.map((row) => row.name)].sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())),
  );
  expect((await list({ limit: 1, offset: 1 })).data).toEqual([all.data[1]]);
  expect((await list({ query: "ZENOBIA of" })).data.map((row) => row.id)).toEqual([user.id]);
  expect((await list({ groupId: groups.viewers, limit: 100 })).data.map((row) => row.id)).toContain(user.id);
  expect((await list({ groupId: groups.admins })).data.map((row) => row.id)).not.toContain(user.id);
  expect((await list({ suspended: true })).data).toEqual([]);
  expect(JSON.stringify(all)).not.toContain(world.people.outsider.id);
  expect(JSON.stringify(all)).not.toMatch(/argon2|passwordHash/);
});

describe("an invitation", () => {
  it("returns a generated password once, and the password works", {
    meta: { proves: ["decision.app.secret-once"] },
  }, async () => {
    const { user, password } = await invite();
    expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    expect(await verifyPassword((await readUser(user.id)).passwordHash ?? "", password ?? "")).toBe(true);
    expect(user.groups.map((group) => group.name)).toEqual(["Members"]);
    expect(JSON.stringify(await list({ limit: 100 }))).not.toContain(password);
  });

  it("does not return a chosen password, and null sets none", async () => {
    const chosen = await invite({ password: "correct horse", name: "Chosen" });
    expect(chosen).toMatchObject({ password: null, user: { name: "Chosen" } });
    expect(await verifyPassword((await readUser(chosen.user.id)).passwordHash ?? "", "correct horse")).toBe(true);
    const without = await invite({ password: null });
    expect(without.password).toBeNull();
    expect((await readUser(without.user.id)).passwordHash).toBeNull();
  });

  it("is refused for bad fields, a used address and unknown groups", async () => {
    const email = `${newId()}@example.org`;
    const { outsider, editor } = world.people;
    const foreign = await test.database.client.group.findFirstOrThrow({ where: { teamId: outsider.actor.teamId } });
    const refused: [object, string][] = [
      [{ email: "no address" }, "validation_error"],
      [{ email, surname: "Unknown" }, "validation_error"],
      [{ email, password: "short" }, "validation_error"],
      [{ email: editor.email.toUpperCase() }, "conflict"],
      [{ email: outsider.email }, "conflict"],
      [{ email, groupIds: [unknownId] }, "not_found"],
      [{ email, groupIds: [foreign.id] }, "not_found"],
    ];
    for (const [input, code] of refused) {
      expect(await outcomeOf(invite(input)), JSON.stringify(input)).toBe(code);
    }
    expect((await list({ query: email })).total).toBe(0);
  });
});

describe("changing a user", () => {
  it("sets name, e-mail address and groups, and writes nothing when nothing changes", async () => {
    const { user } = await invite();
    const email = `${newId()}@example.org`;
    const change = { id: user.id, name: "Renamed", email: email.toUpperCase(), groupIds: [groups.editors] };
    const changed = await admin.run(operations.updateUser, change);
    expect(changed).toMatchObject({ name: "Renamed", email, groups: [{ id: groups.editors, name: "Editors" }] });
    expect(await admin.run(operations.updateUser, change)).toEqual(changed);
    expect((await admin.run(operations.setUserGroups, { id: user.id, groupIds: [] })).groups).toEqual([]);
    const taken = admin.run(operations.updateUser, { id: user.id, email: world.people.editor.email });
    await expect(taken).rejects.toMatchObject({ code: "conflict", details: [{ path: "email" }] });
  });

  it("answers a user of another team like one that does not exist", async () => {
    for (const id of [unknownId, world.people.outsider.id]) {
      const change = admin.run(operations.updateUser, { id, name: "Theirs" });
      await expect(change).rejects.toMatchObject({ code: "not_found", message: "User not found" });
    }
  });

  it("the capabilities of new groups count from the next call on", async () => {
    const person = await addPerson(world, "Viewers");
    const caller = callerOf(world, person);
    expect(await outcomeOf(caller.create())).toBe("forbidden");
    await admin.run(operations.setUserGroups, { id: person.id, groupIds: [groups.members] });
    expect(await outcomeOf(caller.create())).toBe("done");
    await admin.run(operations.setUserGroups, { id: person.id, groupIds: [groups.viewers] });
    expect(await outcomeOf(caller.create())).toBe("forbidden");
  });
});

describe("ending access", () => {
  it("suspending a user stops their keys, sessions and apps at once, and only the keys come back", {
    meta: { proves: ["decision.app.at-once"] },
  }, async () => {
    const person = await addPerson(world, "Editors");
    const key = callerOf(world, person);
    const browser = await sessionCallerOf(world, person);
    const { grantId } = await allowApp(world, person);
    for (const caller of [key, browser]) expect(await outcomeOf(caller.run(operations.getMe))).toBe("done");
    const suspended = await admin.run(operations.suspendUser, { id: person.id });
    for (const caller of [key, browser]) {
      expect(await outcomeOf(caller.run(operations.getMe))).toBe("authentication_required");
    }
    expect((await readGrant(grantId)).revokedAt).not.toBeNull();
    expect(await admin.run(operations.suspendUser, { id: person.id })).toEqual(suspended);
    expect((await list({ suspended: true })).data).toEqual([suspended]);
    expect((await admin.run(operations.unsuspendUser, { id: person.id })).suspendedAt).toBeNull();
    expect(await outcomeOf(key.run(operations.getMe))).toBe("done");
    expect(await outcomeOf(browser.run(operations.getMe))).toBe("authentication_required");
  });

  it("a new password ends sessions and connected apps, and leaves the keys", async () => {
    const person = await addPerson(world, "Members");
    const browser = await sessionCallerOf(world, person);
    const { grantId } = await allowApp(world, person);
    const { password } = await admin.run(operations.resetPassword, { id: person.id });
    expect(await verifyPassword((await readUser(person.id)).passwordHash ?? "", password ?? "")).toBe(true);
    expect(await outcomeOf(browser.run(operations.getMe))).toBe("authentication_required");
    expect((await readGrant(grantId)).revokedAt).not.toBeNull();
    expect(await outcomeOf(callerOf(world, person).run(operations.getMe))).toBe("done");
  });

  it("users cannot reset their own passwords", async () => {
    const { id } = world.people.admin;
    const reset = admin.run(operations.resetPassword, { id, password: "another one" });
    await expect(reset).rejects.toMatchObject({ code: "conflict" });
  });
});
