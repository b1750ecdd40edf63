import { addPerson, callerOf, outcomeOf } from "@kb/core/testing";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();

it("everybody who may read documents sees the names and pictures of the team, and nothing else of its people", {
  meta: { proves: ["web.directory"] },
}, async () => {
  const { people, service, teamId } = world;
  const viewer = callerOf(world, await world.session(people.viewer));
  const list = (input: object) => viewer.run(operations.listDirectory, input);
  const leaver = await addPerson(world, "Members");
  const where = { teamId_id: { teamId, id: leaver.id } };
  await service.database.client.user.update({ where, data: { suspendedAt: new Date() } });
  const all = await list({ limit: 100 });
  expect(all.total).toBe(5);
  expect(all.data).toContainEqual({ id: people.admin.id, name: people.admin.name, suspended: false, picture: null });
  expect(all.data).toContainEqual({ id: leaver.id, name: leaver.name, suspended: true, picture: null });
  expect(all.data.some(({ id }) => id === people.outsider.id)).toBe(false);
  expect((await list({ query: "ADMIN OF" })).data.map(({ id }) => id)).toEqual([people.admin.id]);
  expect((await list({ query: "@example.org" })).data).toEqual([]);
  const ids = [people.editor.id, people.outsider.id];
  expect((await list({ ids })).data.map(({ id }) => id)).toEqual([people.editor.id]);
  expect(await outcomeOf(callerOf(world, people.viewer).run(operations.listDirectory))).toBe("forbidden");
});

it("everybody who may read documents sees who administers the team, without those who are suspended", {
  meta: { proves: ["web.directory"] },
}, async () => {
  const { people, service, teamId } = world;
  const viewer = callerOf(world, await world.session(people.viewer));
  const gone = await addPerson(world, "Admins");
  const where = { teamId_id: { teamId, id: gone.id } };
  await service.database.client.user.update({ where, data: { suspendedAt: new Date() } });
  const { data, total } = await viewer.run(operations.listDirectory, { administrators: true });
  expect(data.map(({ id }) => id)).toEqual([people.admin.id]);
  expect(total).toBe(1);
});

it("somebody who may read nothing yet sees who administers the team, and nobody else", {
  meta: { proves: ["web.directory"] },
}, async () => {
  const { people } = world;
  const admin = callerOf(world, await world.session(people.admin));
  await admin.run(operations.createGroup, { name: "Waiting", capabilities: ["tag.create"] });
  const newcomer = callerOf(world, await world.session(await addPerson(world, "Waiting")));
  const { data } = await newcomer.run(operations.listDirectory, { administrators: true });
  expect(data.map(({ id }) => id)).toEqual([people.admin.id]);
  for (const input of [{}, { administrators: false }, { query: "a" }, { ids: [people.admin.id] }]) {
    expect(await outcomeOf(newcomer.run(operations.listDirectory, input))).toBe("forbidden");
  }
});
