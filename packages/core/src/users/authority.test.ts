import { addPerson, groupIdsOf, outcomeOf, sessionCallerOf, type TestCaller } from "@kb/core/testing";
import { newId } from "@kb/db";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);
const groups = await groupIdsOf(world);

const readUser = (id: string) =>
  test.database.client.user.findUniqueOrThrow({ where: { teamId_id: { teamId: world.teamId, id } } });
const suspend = (by: TestCaller, id: string) => outcomeOf(by.run(operations.suspendUser, { id }));
const setGroups = (by: TestCaller, id: string, groupIds: unknown[]) =>
  outcomeOf(by.run(operations.setUserGroups, { id, groupIds }));

it("nobody grants capabilities that they lack, or changes a user who has more", {
  meta: { proves: ["decision.app.no-escalation"] },
}, async () => {
  const capabilities = ["settings.members", "settings.groups", "document.read"];
  const staff = await admin.run(operations.createGroup, { name: `Staff ${newId()}`, capabilities });
  const clerk = await addPerson(world, staff.name);
  const { run } = await sessionCallerOf(world, clerk);
  const { admin: boss, viewer } = world.people;
  const email = `${newId()}@example.org`;
  const attempts = {
    "invites an admin": () => run(operations.inviteUser, { email, groupIds: [groups.admins] }),
    "invites a member": () => run(operations.inviteUser, { email }),
    "joins the admins": () => run(operations.setUserGroups, { id: clerk.id, groupIds: [groups.admins, staff.id] }),
    "strips an admin": () => run(operations.setUserGroups, { id: boss.id, groupIds: [] }),
    "takes over an admin's address": () => run(operations.updateUser, { id: boss.id, email }),
    "renames a viewer, who exports": () => run(operations.updateUser, { id: viewer.id, name: "Another" }),
    "suspends an admin": () => run(operations.suspendUser, { id: boss.id }),
    "sets an admin's password": () => run(operations.resetPassword, { id: boss.id, password: "taken over" }),
    "creates a group above": () => run(operations.createGroup, { name: "Above", capabilities: ["document.destroy"] }),
    "raises the own group": () =>
      run(operations.updateGroup, { id: staff.id, capabilities: ["audit.read", "settings.groups"] }),
    "empties the editors": () => run(operations.updateGroup, { id: groups.editors, capabilities: [] }),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    expect(await outcomeOf(attempt()), name).toBe("forbidden");
  }
  expect(await outcomeOf(run(operations.inviteUser, { email, groupIds: [staff.id] }))).toBe("done");
  expect((await readUser(boss.id)).email).toBe(boss.email);
});

describe("the last active admin", () => {
  it("can be neither suspended nor removed from Admins", {
    meta: { proves: ["decision.app.last-admin"] },
  }, async () => {
    const { admin: boss } = world.people;
    const other = await addPerson(world, "Admins");
    const caller = await sessionCallerOf(world, other);
    expect(await suspend(caller, other.id)).toBe("conflict");
    expect(await setGroups(caller, boss.id, [groups.editors])).toBe("done");
    expect(await setGroups(caller, other.id, [groups.editors])).toBe("conflict");
    expect(await setGroups(caller, other.id, [])).toBe("conflict");
    expect(await setGroups(caller, boss.id, [groups.admins])).toBe("done");
    expect(await setGroups(caller, other.id, [groups.editors])).toBe("done");
  });

  it("of two admins who suspend each other at once, exactly one is suspended", {
    meta: { proves: ["decision.app.last-admin"] },
  }, async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await addPerson(world, "Admins");
      const second = await addPerson(world, "Admins");
      const one = await sessionCallerOf(world, first);
      const two = await sessionCallerOf(world, second);
      const outcomes = await Promise.all([suspend(one, second.id), suspend(two, first.id)]);
      expect(outcomes).toContain("done");
      // Refused by the authentication, or after it waited for the lock.
      expect(outcomes.find((outcome) => outcome !== "done")).toBeOneOf(["authentication_required", "forbidden"]);
      const users = await Promise.all([readUser(first.id), readUser(second.id)]);
      expect(users.filter((user) => user.suspendedAt !== null)).toHaveLength(1);
    }
  });

  it("of two admins who remove each other at once, one stays", {
    meta: { proves: ["decision.app.last-admin"] },
  }, async () => {
    const { admin: boss } = world.people;
    const { teamId } = world;
    const groupId = groups.admins ?? "";
    const other = await addPerson(world, "Admins");
    const { membership } = test.database.client;
    await membership.deleteMany({ where: { teamId, groupId, userId: { notIn: [boss.id, other.id] } } });
    const caller = await sessionCallerOf(world, other);
    const outcomes = await Promise.all([
      setGroups(admin, other.id, [groups.editors]),
      setGroups(caller, boss.id, [groups.editors]),
    ]);
    expect(outcomes.sort()).toEqual(["done", "forbidden"]);
    expect(await membership.count({ where: { teamId, groupId } })).toBe(1);
    await membership.createMany({ data: [{ teamId, userId: boss.id, groupId }], skipDuplicates: true });
  });
});
