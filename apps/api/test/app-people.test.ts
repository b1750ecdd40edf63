import { verifyPassword } from "@kb/auth";
import { newId } from "@kb/db";
import type { One, Page, Person } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, groupIds, inApp, newPerson } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type User = {
  id: string;
  name: string;
  email: string;
  groups: { id: string; name: string }[];
  suspendedAt: string | null;
  updatedAt: string;
};
type Invited = One<{ user: User; password: string | null }>;

describe("the people of a team", () => {
  let setting: Setting;
  let admin: AppCall;
  let groups: Record<string, string>;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    groups = await groupIds(setting);
  });
  afterAll(() => setting.close());

  const invite = async (input: object = {}): Promise<Invited["data"]> => {
    const { status, body } = await admin<Invited>("users.invite", { email: `${newId()}@example.org`, ...input });
    expect(status).toBe(201);
    return body.data;
  };
  const stored = (id: string) =>
    setting.database.client.user.findUniqueOrThrow({ where: { teamId_id: { teamId: setting.world.teamId, id } } });

  it("are listed by name, a page at a time, and by a part of the name, group and state", async () => {
    const { user } = await invite({ name: "Zenobia of the list", groupIds: [groups.viewers] });
    const list = async (input: object) => (await admin<Page<User>>("users.list", input)).body;
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
    expect(JSON.stringify(all)).not.toContain(setting.world.people.outsider.id);
    expect(JSON.stringify(all)).not.toMatch(/argon2|passwordHash/);
  });

  it("somebody invited gets a password that is shown this once, and works [decision.app.secret-once]", async () => {
    const { user, password } = await invite();
    expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    expect(await verifyPassword((await stored(user.id)).passwordHash ?? "", password ?? "")).toBe(true);
    expect(user.groups.map((group) => group.name)).toEqual(["Members"]);
    expect(JSON.stringify(await admin("users.list", { limit: 100 }))).not.toContain(password);
  });

  it("a chosen password is not shown again; with null there is none", async () => {
    const chosen = await invite({ password: "correct horse", name: "Chosen" });
    expect(chosen).toMatchObject({ password: null, user: { name: "Chosen" } });
    expect(await verifyPassword((await stored(chosen.user.id)).passwordHash ?? "", "correct horse")).toBe(true);
    const without = await invite({ password: null });
    expect(without.password).toBeNull();
    expect((await stored(without.user.id)).passwordHash).toBeNull();
  });

  it("an invitation is refused for what is wrong with it", async () => {
    const email = `${newId()}@example.org`;
    const { outsider, editor } = setting.world.people;
    const theirs = await setting.database.client.group.findFirstOrThrow({ where: { teamId: outsider.actor.teamId } });
    const refused: [object, number, string][] = [
      [{ email: "no address" }, 400, "validation_error"],
      [{ email, surname: "Unknown" }, 400, "validation_error"],
      [{ email, password: "short" }, 400, "validation_error"],
      [{ email: editor.email.toUpperCase() }, 409, "conflict"],
      [{ email: outsider.email }, 409, "conflict"],
      [{ email, groupIds: [unknownId] }, 404, "not_found"],
      [{ email, groupIds: [theirs.id] }, 404, "not_found"],
    ];
    for (const [input, status, code] of refused) {
      expect(await admin("users.invite", input), JSON.stringify(input)).toMatchObject({ status, body: { code } });
    }
    expect((await admin<Page<User>>("users.list", { query: email })).body.total).toBe(0);
  });

  it("an Idempotency-Key is refused where the answer holds a secret", async () => {
    const client = setting.as(await setting.world.session(setting.world.people.admin));
    const email = `${newId()}@example.org`;
    const reply = await client.post("/api/users.invite", { email }, { "Idempotency-Key": "once" });
    expect(reply).toMatchObject({ status: 400, body: { code: "validation_error" } });
  });

  it("name, e-mail address and groups change; a change that changes nothing leaves no trace", async () => {
    const { user } = await invite();
    const email = `${newId()}@example.org`;
    const change = { id: user.id, name: "Renamed", email: email.toUpperCase(), groupIds: [groups.editors] };
    const { body } = await admin<One<User>>("users.update", change);
    expect(body.data).toMatchObject({ name: "Renamed", email, groups: [{ id: groups.editors, name: "Editors" }] });
    const again = await admin<One<User>>("users.update", change);
    expect(again.body.data).toEqual(body.data);
    expect((await admin<One<User>>("users.groups", { id: user.id, groupIds: [] })).body.data.groups).toEqual([]);
    const taken = await admin("users.update", { id: user.id, email: setting.world.people.editor.email });
    expect(taken).toMatchObject({ status: 409, body: { details: [{ path: "email" }] } });
    const { outsider } = setting.world.people;
    for (const id of [unknownId, outsider.id]) {
      const reply = await admin("users.update", { id, name: "Theirs" });
      expect(reply).toMatchObject({ status: 404, body: { code: "not_found", error: "User not found" } });
    }
  });

  it("what a new group allows counts from the next request on", async () => {
    const person = await newPerson(setting, "Viewers");
    const key = setting.as(person);
    const json = { collectionId: setting.world.collections.open };
    expect((await key.post("/api/v1/documents", json)).status).toBe(403);
    await admin("users.groups", { id: person.id, groupIds: [groups.members] });
    expect((await key.post<object>("/api/v1/documents", json)).status).toBe(201);
    await admin("users.groups", { id: person.id, groupIds: [groups.viewers] });
    expect((await key.post("/api/v1/documents", json)).status).toBe(403);
  });

  it("a suspended user's keys, log-ins and connected apps stop with the next request; the keys come back [decision.app.at-once]", async () => {
    const person = await newPerson(setting, "Editors");
    const [key, browser] = [setting.as(person), setting.as(await setting.world.session(person))];
    const grantId = await connectApp(person);
    for (const client of [key, browser]) expect((await client.get<object>("/api/v1/me")).status).toBe(200);
    const { body } = await admin<One<User>>("users.suspend", { id: person.id });
    for (const client of [key, browser]) expect((await client.get("/api/v1/me")).status).toBe(401);
    expect((await grantOf(grantId)).revokedAt).not.toBeNull();
    const again = await admin<One<User>>("users.suspend", { id: person.id });
    expect(again.body.data).toEqual(body.data);
    expect((await admin<Page<User>>("users.list", { suspended: true })).body.data).toEqual([body.data]);
    const back = await admin<One<User>>("users.unsuspend", { id: person.id });
    expect(back.body.data.suspendedAt).toBeNull();
    expect((await key.get<object>("/api/v1/me")).status).toBe(200);
    expect((await browser.get("/api/v1/me")).status).toBe(401);
  });

  it("a new password ends log-ins and connected apps, and leaves the keys", async () => {
    const person = await newPerson(setting, "Members");
    const browser = setting.as(await setting.world.session(person));
    const grantId = await connectApp(person);
    const { body } = await admin<Invited>("users.resetPassword", { id: person.id });
    expect(await verifyPassword((await stored(person.id)).passwordHash ?? "", body.data.password ?? "")).toBe(true);
    expect((await browser.get("/api/v1/me")).status).toBe(401);
    expect((await grantOf(grantId)).revokedAt).not.toBeNull();
    expect((await setting.as(person).get<object>("/api/v1/me")).status).toBe(200);
  });

  it("one's own password is not set without the present one", async () => {
    const { admin: boss } = setting.world.people;
    const reply = await admin("users.resetPassword", { id: boss.id, password: "another one" });
    expect(reply).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it("nobody gives what they do not hold, or changes somebody who may do more [decision.app.no-escalation]", async () => {
    const staff = { name: `Staff ${newId()}`, capabilities: ["settings.members", "settings.groups", "document.read"] };
    const { body } = await admin<One<{ id: string }>>("groups.create", staff);
    const clerk = await newPerson(setting, staff.name);
    const call = await inApp(setting, clerk);
    const { admin: boss, viewer } = setting.world.people;
    const email = `${newId()}@example.org`;
    const refused: [string, object][] = [
      ["users.invite", { email, groupIds: [groups.admins] }],
      ["users.invite", { email }],
      ["users.groups", { id: clerk.id, groupIds: [groups.admins, body.data.id] }],
      ["users.groups", { id: boss.id, groupIds: [] }],
      ["users.update", { id: boss.id, email }],
      ["users.update", { id: viewer.id, name: "Exports, which the clerk may not" }],
      ["users.suspend", { id: boss.id }],
      ["users.resetPassword", { id: boss.id, password: "taken over" }],
      ["groups.create", { name: "Above", capabilities: ["document.destroy"] }],
      ["groups.update", { id: body.data.id, capabilities: ["audit.read", "settings.groups"] }],
      ["groups.update", { id: groups.editors, capabilities: [] }],
    ];
    for (const [name, input] of refused) {
      expect(await call(name, input), `${name} ${JSON.stringify(input)}`).toMatchObject({
        status: 403,
        body: { code: "forbidden" },
      });
    }
    expect((await call<Invited>("users.invite", { email, groupIds: [body.data.id] })).status).toBe(201);
    expect((await stored(boss.id)).email).toBe(boss.email);
  });

  it("the last active admin is neither suspended nor stripped [decision.app.last-admin]", async () => {
    const { admin: boss } = setting.world.people;
    const other = await newPerson(setting, "Admins");
    const call = await inApp(setting, other);
    expect(await call("users.suspend", { id: other.id })).toMatchObject({ status: 409 });
    expect((await call("users.groups", { id: boss.id, groupIds: [groups.editors] })).status).toBe(200);
    for (const change of [{ groupIds: [groups.editors] }, { groupIds: [] }]) {
      const reply = await call("users.groups", { id: other.id, ...change });
      expect(reply).toMatchObject({ status: 409, body: { code: "conflict" } });
    }
    expect((await call("users.groups", { id: boss.id, groupIds: [groups.admins] })).status).toBe(200);
    expect((await call("users.groups", { id: other.id, groupIds: [groups.editors] })).status).toBe(200);
  });

  it("of two admins who suspend each other at once exactly one is suspended, and one admin is always left [decision.app.last-admin]", async () => {
    for (let round = 0; round < 5; round += 1) {
      const pair = [await newPerson(setting, "Admins"), await newPerson(setting, "Admins")];
      const [one, two] = await Promise.all(pair.map((person) => inApp(setting, person)));
      const [first, second] = pair;
      if (!one || !two || !first || !second) throw new Error("two were made");
      const replies = await Promise.all([
        one("users.suspend", { id: second.id }),
        two("users.suspend", { id: first.id }),
      ]);
      const statuses = replies.map((reply) => reply.status).sort();
      expect(statuses[0]).toBe(200);
      // Refused at the door, or when its turn came.
      expect(statuses[1]).toBeOneOf([401, 403]);
      const suspended = (await Promise.all(pair.map((person) => stored(person.id)))).filter((row) => row.suspendedAt);
      expect(suspended).toHaveLength(1);
    }
  });

  it("two admins of two who strip each other at once leave one [decision.app.last-admin]", async () => {
    const { admin: boss } = setting.world.people;
    const other = await newPerson(setting, "Admins");
    await setting.database.client.membership.deleteMany({
      where: { teamId: setting.world.teamId, groupId: groups.admins ?? "", userId: { notIn: [boss.id, other.id] } },
    });
    const call = await inApp(setting, other);
    const replies = await Promise.all([
      admin("users.groups", { id: other.id, groupIds: [groups.editors] }),
      call("users.groups", { id: boss.id, groupIds: [groups.editors] }),
    ]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 403]);
    await setting.database.client.membership.createMany({
      data: [{ teamId: setting.world.teamId, userId: boss.id, groupId: groups.admins ?? "" }],
      skipDuplicates: true,
    });
  });

  async function connectApp(person: Person): Promise<string> {
    const { client } = setting.database;
    const clientId = newId();
    await client.oauthClient.create({ data: { id: clientId, metadata: {}, kind: "dynamic" } });
    const id = newId();
    const { teamId } = person.actor;
    const data = { teamId, id, userId: person.id, clientId, scopes: ["read"], resource: "x", expiresAt: new Date() };
    await client.oauthGrant.create({ data });
    return id;
  }
  const grantOf = (id: string) =>
    setting.database.client.oauthGrant.findUniqueOrThrow({
      where: { teamId_id: { teamId: setting.world.teamId, id } },
    });
});
