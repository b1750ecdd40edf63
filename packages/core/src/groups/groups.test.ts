import { capabilities } from "@kb/auth";
import { addPerson, callerOf, eventsDuring, groupIdsOf, outcomeOf, sessionCallerOf, unknownId } from "@kb/core/testing";
import { newId } from "@kb/db";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);
const builtIn = await groupIdsOf(world);

const createGroup = (names: string[] = ["document.read"], name = `Group ${newId()}`) =>
  admin.run(operations.createGroup, { name, capabilities: names });
const setGroups = (id: string, groupIds: unknown[]) => admin.run(operations.setUserGroups, { id, groupIds });

describe("groups", () => {
  it("lists the built-in groups first, with their capabilities and the number of their members", async () => {
    await createGroup();
    const page = await admin.run(operations.listGroups, { limit: 100 });
    expect(page.data.slice(0, 4).map((group) => group.builtIn)).toEqual(["admins", "editors", "members", "viewers"]);
    expect(page.data[0]).toMatchObject({ name: "Admins", capabilities: [...capabilities], memberCount: 1 });
    expect(page.total).toBe(page.data.length);
    expect((await admin.run(operations.listGroups, { limit: 1, offset: 4 })).data).toEqual([page.data[4]]);
  });

  it("a group of the team's own gives its members its capabilities at once", {
    meta: { proves: ["decision.app.groups"] },
  }, async () => {
    const group = await createGroup(["document.read", "tag.create"]);
    const person = await addPerson(world, "Viewers");
    const caller = callerOf(world, person);
    await expect(caller.createTag({ name: "mine" })).rejects.toMatchObject({ code: "forbidden" });
    await setGroups(person.id, [group.id]);
    expect(await caller.createTag({ name: "mine" })).toMatchObject({ created: true });
    await admin.run(operations.updateGroup, {
      id: group.id,
      capabilities: ["document.read"],
      name: `Less ${newId()}`,
    });
    await expect(caller.createTag({ name: "mine too" })).rejects.toMatchObject({ code: "forbidden" });
    await admin.run(operations.deleteGroup, { id: group.id });
    await expect(caller.list()).rejects.toMatchObject({ code: "forbidden" });
  });

  it("the creator of a document publishes it only where they may edit it", {
    meta: { proves: ["decision.access.members-own"] },
  }, async () => {
    const { open, readable } = world.collections;
    const publish = async (names: string[], collectionId: string): Promise<string[]> => {
      const caller = callerOf(world, await addPerson(world, (await createGroup(["document.read", ...names])).name));
      const created = await outcomeOf(caller.create({ collectionId, publish: true }));
      const draft = caller.create({ collectionId });
      if ((await outcomeOf(draft)) !== "done") return [created, await outcomeOf(draft)];
      return [created, await outcomeOf(caller.update((await draft).id, { published: true }))];
    };
    expect(await publish(["document.create", "document.edit"], open)).toEqual(["done", "done"]);
    expect(await publish(["document.create"], open)).toEqual(["forbidden", "forbidden"]);
    expect(await publish(["document.create", "document.publish"], open)).toEqual(["forbidden", "forbidden"]);
    expect(await publish(["document.create", "document.edit"], readable)).toEqual(["forbidden", "forbidden"]);
  });

  it("rejects names that differ only in case, unknown capabilities and unknown fields", async () => {
    const { name } = await createGroup();
    const create = (input: object) => outcomeOf(admin.run(operations.createGroup, input));
    expect(await create({ name: name.toUpperCase(), capabilities: [] })).toBe("conflict");
    expect(await create({ name: "New", capabilities: ["everything"] })).toBe("validation_error");
    expect(await create({ name: "New", capabilities: [], color: "red" })).toBe("validation_error");
  });

  it("a group of another team is answered like one that does not exist", async () => {
    const { outsider } = world.people;
    const foreign = await test.database.client.group.findFirstOrThrow({ where: { teamId: outsider.actor.teamId } });
    for (const id of [foreign.id, unknownId]) {
      const absent = { code: "not_found", message: "Group not found" };
      await expect(admin.run(operations.updateGroup, { id, name: "New" })).rejects.toMatchObject(absent);
      await expect(admin.run(operations.updateGroup, { id })).rejects.toMatchObject(absent);
      await expect(admin.run(operations.deleteGroup, { id })).rejects.toMatchObject(absent);
    }
  });

  it("built-in groups keep their names and cannot be deleted, and Admins keeps its capabilities", {
    meta: { proves: ["decision.app.groups"] },
  }, async () => {
    for (const id of [builtIn.admins, builtIn.editors, builtIn.members, builtIn.viewers]) {
      expect(await outcomeOf(admin.run(operations.deleteGroup, { id }))).toBe("conflict");
      expect(await outcomeOf(admin.run(operations.updateGroup, { id, name: "Another" }))).toBe("conflict");
    }
    const stripped = admin.run(operations.updateGroup, { id: builtIn.admins, capabilities: [] });
    expect(await outcomeOf(stripped)).toBe("conflict");
    const { data } = await admin.run(operations.listGroups);
    const before = data.find((group) => group.id === builtIn.viewers);
    const fewer = await admin.run(operations.updateGroup, { id: builtIn.viewers, capabilities: ["document.read"] });
    expect(fewer.capabilities).toEqual(["document.read"]);
    await admin.run(operations.updateGroup, { id: builtIn.viewers, capabilities: before?.capabilities });
  });
});

describe("deleting a group", () => {
  it("removes its access to collections and writes an event for each", async () => {
    const group = await createGroup();
    const person = await addPerson(world, group.name);
    const caller = callerOf(world, person);
    const { vault } = world.collections;
    await admin.run(operations.setGrant, { id: vault, groupId: group.id, level: "read" });
    expect(await caller.getCollection(vault)).toMatchObject({ id: vault });
    const events = await eventsDuring(world, () => admin.run(operations.deleteGroup, { id: group.id }));
    expect(events).toEqual([
      { type: "collection.access_changed", data: expect.objectContaining({ id: vault, changed: ["grants"] }) },
    ]);
    await setGroups(person.id, [builtIn.viewers]);
    await expect(caller.getCollection(vault)).rejects.toMatchObject({ code: "not_found" });
  });

  it("leaves no grant when it meets a grant to the group", async () => {
    const { vault } = world.collections;
    const { teamId } = world;
    for (let round = 0; round < 6; round += 1) {
      const group = await createGroup();
      const [granted, deleted] = await Promise.all([
        outcomeOf(admin.run(operations.setGrant, { id: vault, groupId: group.id, level: "read" })),
        outcomeOf(admin.run(operations.deleteGroup, { id: group.id })),
      ]);
      expect(deleted).toBe("done");
      expect(granted).toBeOneOf(["done", "not_found"]);
      expect(await test.database.client.collectionGrant.count({ where: { teamId, groupId: group.id } })).toBe(0);
    }
  });
});
