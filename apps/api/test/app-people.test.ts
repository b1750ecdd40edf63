import { addPerson } from "@kb/core/testing";
import { newId } from "@kb/db";
import type { One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, inApp } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type User = { id: string; name: string; email: string; suspendedAt: string | null };
type WithPassword = One<{ user: User; password: string | null }>;

describe("the people of a team over HTTP", () => {
  let setting: Setting;
  let admin: AppCall;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
  });
  afterAll(() => setting.close());

  it("an invitation is 201, and no later response contains its password", {
    meta: { proves: ["decision.app.secret-once"] },
  }, async () => {
    const email = `${newId()}@example.org`;
    const { status, body } = await admin<WithPassword>("users.invite", { email });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ user: { email }, password: expect.any(String) });
    const list = await admin<Page<User>>("users.list", { limit: 100 });
    expect(list).toMatchObject({ status: 200, body: { total: list.body.data.length, limit: 100, offset: 0 } });
    expect(list.body.data.map((user) => user.email)).toContain(email);
    expect(JSON.stringify(list.body)).not.toContain(body.data.password);
    expect(JSON.stringify(list.body)).not.toMatch(/argon2|passwordHash/);
  });

  it("returns 400 for an Idempotency-Key on a request whose response contains a secret, or that uses a code up", async () => {
    const client = setting.as(await setting.world.session(setting.world.people.admin));
    const email = `${newId()}@example.org`;
    const calls = [
      ["/api/users.invite", { email }],
      ["/api/auth.secondFactor.remove", { code: "000000" }],
    ] as const;
    for (const [path, input] of calls) {
      const reply = await client.post(path, input, { "Idempotency-Key": "once" });
      expect(reply, path).toMatchObject({ status: 400, body: { code: "validation_error" } });
    }
  });

  it("a bad address is 400, an unknown group or user 404, and a used address 409", async () => {
    const { editor, viewer, outsider } = setting.world.people;
    const email = `${newId()}@example.org`;
    const refused: [string, object, number, string][] = [
      ["users.invite", { email: "no address" }, 400, "validation_error"],
      ["users.invite", { email, groupIds: [unknownId] }, 404, "not_found"],
      ["users.invite", { email: editor.email.toUpperCase() }, 409, "conflict"],
      ["users.update", { id: outsider.id, name: "Theirs" }, 404, "not_found"],
      ["users.update", { id: viewer.id, email: editor.email }, 409, "conflict"],
      ["users.resetPassword", { id: setting.world.people.admin.id }, 409, "conflict"],
    ];
    for (const [name, input, status, code] of refused) {
      expect(await admin(name, input), `${name} ${JSON.stringify(input)}`).toMatchObject({ status, body: { code } });
    }
  });

  it("returns 403 for every request of a caller who may not manage users", {
    meta: { proves: ["decision.app.no-escalation"] },
  }, async () => {
    const call = await inApp(setting, setting.world.people.editor);
    const { id } = setting.world.people.viewer;
    for (const [name, input] of [
      ["users.invite", { email: `${newId()}@example.org` }],
      ["users.update", { id, name: "Renamed" }],
      ["users.groups", { id, groupIds: [] }],
      ["users.suspend", { id }],
      ["users.resetPassword", { id }],
    ] as const) {
      expect(await call(name, input), name).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
  });

  it("requests with the key and the cookie of a suspended user are 401, and only the key works again later", {
    meta: { proves: ["decision.app.at-once"] },
  }, async () => {
    const person = await addPerson(setting.world, "Editors");
    const key = setting.as(person);
    const browser = setting.as(await setting.world.session(person));
    for (const client of [key, browser]) expect((await client.get<object>("/api/v1/me")).status).toBe(200);
    const suspended = await admin<One<User>>("users.suspend", { id: person.id });
    expect(suspended).toMatchObject({ status: 200, body: { data: { suspendedAt: expect.any(String) } } });
    for (const client of [key, browser]) expect((await client.get("/api/v1/me")).status).toBe(401);
    const back = await admin<One<User>>("users.unsuspend", { id: person.id });
    expect(back).toMatchObject({ status: 200, body: { data: { suspendedAt: null } } });
    expect((await key.get<object>("/api/v1/me")).status).toBe(200);
    expect((await browser.get("/api/v1/me")).status).toBe(401);
  });

  it("a cookie is 401 after the password was reset, and the key still 200", async () => {
    const person = await addPerson(setting.world, "Members");
    const browser = setting.as(await setting.world.session(person));
    const { status, body } = await admin<WithPassword>("users.resetPassword", { id: person.id });
    expect({ status, password: body.data.password }).toEqual({ status: 200, password: expect.any(String) });
    expect((await browser.get("/api/v1/me")).status).toBe(401);
    expect((await setting.as(person).get<object>("/api/v1/me")).status).toBe(200);
  });
});
