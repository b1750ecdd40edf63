import { addPerson, callerOf, eventsDuring, outcomeOf, sessionCallerOf } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);
const key = callerOf(world, world.people.admin);

const createCollection = async (): Promise<string> => (await key.createCollection({ name: "Doomed" })).id;
const deleteCollection = (id: string) => admin.run(operations.deleteCollection, { id });
const close = (id: string) => admin.run(operations.setDefaultAccess, { id, defaultAccess: "none" });
const write = (collectionId: string, input: object = {}) => key.create({ collectionId, publish: true, ...input });
const writeTree = async (id: string) => {
  const top = await write(id, { title: "Top" });
  const below = await write(id, { title: "Below", parentDocumentId: top.id });
  const leaf = await write(id, { title: "Leaf", parentDocumentId: below.id });
  return { top, below, leaf };
};

describe("deleting a collection", () => {
  it("hides it, moves its documents to the trash and writes an event for each", {
    meta: { proves: ["decision.app.collection-delete"] },
  }, async () => {
    const id = await createCollection();
    const { top, below, leaf } = await writeTree(id);
    const single = await write(id, { title: "Single", publish: false });
    const events = await eventsDuring(world, async () => {
      expect(await deleteCollection(id)).toMatchObject({ id, status: "deleted", documentCount: 4 });
    });
    expect(events.map((event) => event.type).sort()).toEqual([
      "collection.deleted",
      ...Array.from({ length: 4 }, () => "document.deleted"),
    ]);
    const refused = [
      key.getCollection(id),
      key.updateCollection(id, { name: "Back" }),
      deleteCollection(id),
      admin.run(operations.listGrants, { id }),
      key.create({ collectionId: id }),
      key.get(top.id),
    ];
    expect(await Promise.all(refused.map(outcomeOf))).toEqual(refused.map(() => "not_found"));
    for (const archived of [false, true]) {
      expect((await key.listCollections({ archived })).map((row) => row.id)).not.toContain(id);
    }
    const ids = [top, below, leaf, single].map((document) => document.id);
    const trash = (await key.list({ deleted: true, limit: 100 })).data.filter((row) => ids.includes(row.id));
    expect(trash.map((row) => row.collectionId)).toEqual([null, null, null, null]);
  });

  it("a document of it is restored with what was below it, into the collection that the call names", {
    meta: { proves: ["decision.app.collection-delete"] },
  }, async () => {
    const id = await createCollection();
    const { top, below, leaf } = await writeTree(id);
    const single = await write(id);
    await deleteCollection(id);
    await expect(key.restore(top.id)).rejects.toMatchObject({
      code: "conflict",
      details: [{ path: "collectionId" }],
    });
    expect(await outcomeOf(key.restore(top.id, { collectionId: id }))).toBe("not_found");
    const collectionId = world.collections.open;
    await key.restore(top.id, { collectionId });
    for (const { document, parentDocumentId } of [
      { document: top, parentDocumentId: null },
      { document: below, parentDocumentId: top.id },
      { document: leaf, parentDocumentId: below.id },
    ]) {
      const { publishedAt } = document;
      expect(await key.get(document.id)).toMatchObject({ collectionId, parentDocumentId, publishedAt });
    }
    expect(await outcomeOf(key.get(single.id))).toBe("not_found");
  });

  it("shows its documents in the trash only to those who could see them before", async () => {
    const id = await createCollection();
    await close(id);
    const document = await write(id, { title: "Private" });
    await deleteCollection(id);
    const editor = callerOf(world, world.people.editor);
    expect(await editor.listIds({ deleted: true })).not.toContain(document.id);
    const target = { collectionId: world.collections.open };
    expect(await outcomeOf(editor.restore(document.id, target))).toBe("not_found");
    expect(await outcomeOf(key.restore(document.id, target))).toBe("done");
  });

  it("sends tombstones to clients of the sync, whose cursors go on", {
    meta: { proves: ["decision.sync.tombstones"] },
  }, async () => {
    const id = await createCollection();
    const document = await write(id);
    const viewer = callerOf(world, world.people.viewer);
    const updatedSince = new Date(Date.now() - 3_600_000).toISOString();
    const { nextCursor } = await viewer.sync({ includeDeleted: true, limit: 1000, updatedSince });
    await deleteCollection(id);
    const { data } = await viewer.sync({ includeDeleted: true, limit: 1000, cursor: nextCursor });
    expect(data).toContainEqual(expect.objectContaining({ id: document.id, tombstone: true }));
  });

  it("trashes or refuses documents that are written at the same moment", async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await createCollection();
      const [deleted, ...created] = await Promise.all([
        outcomeOf(deleteCollection(id)),
        ...Array.from({ length: 4 }, () => outcomeOf(write(id, { title: "Late" }))),
      ]);
      expect(deleted).toBe("done");
      for (const outcome of created) expect(outcome).toBeOneOf(["done", "not_found"]);
      const where = { teamId: world.teamId, collectionId: id, deletedAt: null };
      expect(await test.database.client.document.count({ where })).toBe(0);
    }
  });

  it("works on an archived collection, with what was archived in it", async () => {
    const id = await createCollection();
    const document = await write(id);
    await key.archiveCollection(id);
    expect((await deleteCollection(id)).documentCount).toBe(1);
    expect(await outcomeOf(key.get(document.id))).toBe("not_found");
  });

  it("hides the trash of a closed collection from people who join the team later", async () => {
    const id = await createCollection();
    await close(id);
    const document = await write(id);
    await deleteCollection(id);
    const late = callerOf(world, await addPerson(world, "Admins"));
    expect(await late.listIds({ deleted: true })).not.toContain(document.id);
  });
});
