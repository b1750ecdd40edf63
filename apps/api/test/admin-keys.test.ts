import { groupIdsOf } from "@kb/core/testing";
import { newId } from "@kb/db";
import type { ApiClient, Failure, Many, One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type Named = { id: string; name: string };
type User = Named & { email: string; groups: readonly Named[] };
type Key = Named & { owner: { id: string }; key?: string; expiresAt: string | null };

describe("users, groups and keys for programs of admins", () => {
  let setting: Setting;
  let program: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    program = setting.as(await setting.world.key(setting.world.people.admin, ["admin"]));
  });
  afterAll(() => setting.close());

  it("a program creates a group and a user in it, and finds both", {
    meta: { proves: ["onboarding.rest"] },
  }, async () => {
    const wanted = { name: `Group ${newId()}`, capabilities: ["document.read"] };
    const group = await program.post<One<Named>>("/api/v1/groups", wanted);
    expect(group.status).toBe(201);
    const email = `${newId()}@example.org`;
    const created = await program.post<One<{ user: User; password: string | null }>>("/api/v1/users", {
      email,
      name: "Ada",
      groupIds: [group.body.data.id],
    });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ user: { email, name: "Ada" }, password: expect.any(String) });
    const users = await program.get<Many<User>>(`/api/v1/users?query=${encodeURIComponent(email)}`);
    expect(users.body.data).toMatchObject([{ email, groups: [{ id: group.body.data.id }] }]);
    const groups = await program.get<Many<Named>>("/api/v1/groups?limit=100");
    expect(groups.body.data.map(({ id }) => id)).toContain(group.body.data.id);
    const again = await program.post<Failure>("/api/v1/users", { email });
    expect([again.status, again.body.code]).toEqual([409, "conflict"]);
  });

  it("a program creates a key of its owner, which works, and lists it without its secret", {
    meta: { proves: ["onboarding.rest"] },
  }, async () => {
    const { body, status } = await program.post<One<Key>>("/api/v1/api-keys", { name: "Mirror", scopes: ["read"] });
    expect([status, body.data.owner.id]).toEqual([201, setting.world.people.admin.id]);
    expect((await setting.as(body.data.key ?? "").get<object>("/api/v1/me")).status).toBe(200);
    const list = await program.get<Many<Key>>("/api/v1/api-keys?limit=100");
    expect(list.body.data.find(({ id }) => id === body.data.id)).toMatchObject({ name: "Mirror" });
    expect(JSON.stringify(list.body)).not.toContain(body.data.key);
  });

  it("a key without the scope, of somebody without the permission, or restricted, is refused", {
    meta: { proves: ["onboarding.rest"] },
  }, async () => {
    const { key, people, collections } = setting.world;
    const restrictions = { collections: { [collections.open]: "write" } } as const;
    const refused = [
      [await key(people.admin, ["read", "write"]), "insufficient_scope"],
      [await key(people.viewer, ["admin"]), "forbidden"],
      [await key(people.admin, ["admin"], { restrictions }), "forbidden"],
    ] as const;
    const bodies = {
      users: { email: `${newId()}@example.org` },
      groups: { name: newId(), capabilities: [] },
      "api-keys": { name: "Any", scopes: ["read"] },
    };
    for (const [credential, code] of refused) {
      for (const [path, body] of Object.entries(bodies)) {
        const client = setting.as(credential);
        const read = await client.get<Failure>(`/api/v1/${path}`);
        const written = await client.post<Failure>(`/api/v1/${path}`, body);
        expect([path, read.body.code, written.body.code]).toEqual([path, code, code]);
      }
    }
  });

  it("a key that expires creates none that outlives it", {
    meta: { proves: ["onboarding.rest.key-life"] },
  }, async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const brief = setting.as(await setting.world.key(setting.world.people.admin, ["admin"], { expiresAt }));
    const create = (end?: string) =>
      brief.post<Failure>("/api/v1/api-keys", { name: "Longer", scopes: ["read"], expiresAt: end });
    const later = new Date(Date.now() + 7_200_000).toISOString();
    for (const end of [undefined, later]) expect((await create(end)).body.code).toBe("validation_error");
    expect((await create(expiresAt.toISOString())).status).toBe(201);
  });

  it("a key makes nobody an admin, by no group, whether or not it expires", {
    meta: { proves: ["onboarding.rest.no-admin"] },
  }, async () => {
    const { world } = setting;
    const { admins } = await groupIdsOf(world);
    const expiresAt = new Date(Date.now() + 3_600_000);
    const brief = setting.as(await world.key(world.people.admin, ["admin"], { expiresAt }));
    for (const client of [brief, program]) {
      const email = `${newId()}@example.org`;
      const user = await client.post<Failure>("/api/v1/users", { email, groupIds: [admins] });
      const name = newId();
      const group = await client.post<Failure>("/api/v1/groups", { name, capabilities: ["settings.members"] });
      expect([user.body.code, group.body.code]).toEqual(["forbidden", "forbidden"]);
      expect(user.body.error).toContain("An API key cannot give these permissions: `settings.team_edit`");
      const { client: rows } = world.service.database;
      expect(await rows.user.count({ where: { teamId: world.teamId, email } })).toBe(0);
      expect(await rows.group.count({ where: { teamId: world.teamId, name } })).toBe(0);
      expect((await client.post("/api/v1/users", { email })).status).toBe(201);
    }
  });
});
