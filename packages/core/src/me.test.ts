import { callerOf, createWorld, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getMe } from "./me.ts";

describe("the authenticated user", () => {
  let test: TestDatabase;
  let world: World;
  beforeAll(async () => {
    test = await testDatabase();
    world = await createWorld(test.database);
  });
  afterAll(() => test.drop());

  const read = (name: keyof World["people"]) => callerOf(world, world.people[name]).run(getMe);

  it("has exactly the fields of the contract", { meta: { proves: ["user.me", "user.field.*"] } }, async () => {
    const { id, name, email } = world.people.member;
    expect(await read("member")).toEqual({
      id,
      name,
      email,
      teamId: world.teamId,
      role: "member",
      capabilities: expect.any(Array),
    });
  });

  it("has the capabilities of its groups", {
    meta: { proves: ["user.me.capabilities", "decision.access.groups"] },
  }, async () => {
    const viewer = ["document.read", "export"];
    const member = [...viewer, "developer.api_keys", "document.create", "document.edit", "tag.create"];
    const editor = [...member, "collection.create", "collection.edit", "document.publish", "document.delete"];
    const admin = [
      ...editor,
      "settings.team_edit",
      "settings.members",
      "settings.groups",
      "developer.mcp",
      "developer.webhooks",
      "publishing.channels",
      "document.destroy",
      "tag.manage",
      "audit.read",
    ];
    const expected = { viewer, member, editor, admin };
    for (const name of ["viewer", "member", "editor", "admin"] as const) {
      expect(new Set((await read(name)).capabilities), name).toEqual(new Set(expected[name]));
    }
  });

  it("is an admin with settings.team_edit", { meta: { proves: ["user.role.admin"] } }, async () => {
    expect((await read("admin")).role).toBe("admin");
  });

  it("is an admin with every capability, written *, when it is a system admin", {
    meta: { proves: ["user.role.admin", "user.field.capabilities"] },
  }, async () => {
    // The first team of a database has its system admin.
    expect(await read("outsider")).toMatchObject({ role: "admin", capabilities: ["*"] });
  });

  it("is a member when it may create documents", { meta: { proves: ["user.role.member"] } }, async () => {
    expect((await read("editor")).role).toBe("member");
    expect((await read("member")).role).toBe("member");
  });

  it("is a viewer otherwise", { meta: { proves: ["user.role.viewer"] } }, async () => {
    expect((await read("viewer")).role).toBe("viewer");
  });
});
