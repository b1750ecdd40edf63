import { addPerson } from "@kb/core/testing";
import { expect, it } from "vitest";
import { suspendUser } from "../admin/users.ts";
import { testWorld } from "../testing/test-world.ts";
import { followProviderGroups } from "./follow-provider-groups.ts";

const { world } = await testWorld();
const { service, teamId, people } = world;
const { client } = service.database;

const follow = (userId: string, given: string[], decided = ["Admins", "Editors"]) =>
  followProviderGroups(service, { teamId, userId, address: "203.0.113.1", requestId: "request" }, { decided, given });
const activeAdmins = () =>
  client.user.count({
    where: { teamId, suspendedAt: null, memberships: { some: { group: { teamId, builtIn: "admins" } } } },
  });
const updatedAt = async (id: string) =>
  (await client.user.findUniqueOrThrow({ where: { teamId_id: { teamId, id } } })).updatedAt.getTime();

it("of six admins whom a claim takes out at once, one stays", {
  meta: { proves: ["onboarding.groups.last-admin"] },
}, async () => {
  const suspended = await addPerson(world, "Admins");
  await suspendUser(service, suspended.email);
  const others = await Promise.all([1, 2, 3, 4, 5].map(() => addPerson(world, "Admins")));
  const all = [people.admin, ...others];
  const results = await Promise.all(all.map(({ id }) => follow(id, [])));
  expect([results.filter(({ isLastAdmin }) => isLastAdmin).length, await activeAdmins()]).toEqual([1, 1]);
});

it("a log-in that changes nothing leaves no trace", { meta: { proves: ["onboarding.groups.follow"] } }, async () => {
  const { id } = await addPerson(world, "Editors");
  const entries = () => client.auditEntry.count({ where: { teamId, targetId: id } });
  const before = [await updatedAt(id), await entries()];
  expect(await follow(id, ["EDITORS "])).toEqual({ unknown: [], isLastAdmin: false });
  expect([await updatedAt(id), await entries()]).toEqual(before);
});

it("two log-ins of a user at once end with the groups of one of them", {
  meta: { proves: ["onboarding.groups.follow"] },
}, async () => {
  const { id } = await addPerson(world, "Viewers");
  await Promise.all([follow(id, ["Editors"]), follow(id, ["Editors"]), follow(id, ["Editors"])]);
  const groups = await client.membership.findMany({ where: { teamId, userId: id }, include: { group: true } });
  expect(groups.map(({ group }) => group.name).toSorted()).toEqual(["Editors", "Viewers"]);
});

it("groups of another team are unknown", { meta: { proves: ["onboarding.groups.follow"] } }, async () => {
  const { teamId: other } = people.outsider.actor;
  const name = "Only of the other team";
  const group = { teamId: other, id: crypto.randomUUID(), name, capabilities: [], createdAt: new Date() };
  await client.group.create({ data: group });
  const { id } = await addPerson(world, "Viewers");
  expect(await follow(id, [name], [name])).toEqual({ unknown: [name], isLastAdmin: false });
  expect(await client.membership.count({ where: { teamId: other, groupId: group.id } })).toBe(0);
});
