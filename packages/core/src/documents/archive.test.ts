import { callerOf } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const create = (input: object = {}): Promise<DocumentView> => editor.create({ publish: true, ...input });

describe("archiving a document", () => {
  it("archives everything below it too, and unarchiving brings all of it back", {
    meta: { proves: ["decision.documents.archive", "document.field.archived-at", "documents.state.timestamps"] },
  }, async () => {
    const root = await create();
    const child = await create({ parentDocumentId: root.id });
    const grandchild = await create({ parentDocumentId: child.id });
    const archived = await editor.archive(root.id);
    expect(archived).toEqual({
      ...root,
      revision: 2,
      archivedAt: archived.updatedAt,
      updatedAt: expect.any(String),
    });
    for (const { id } of [child, grandchild]) {
      expect(await editor.get(id)).toMatchObject({ revision: 2, archivedAt: expect.any(String) });
    }
    expect(await editor.unarchive(root.id)).toMatchObject({ revision: 3, archivedAt: null });
    expect((await editor.get(grandchild.id)).archivedAt).toBeNull();
  });

  it("names who archived, deleted or restored a document as its last modifier, also with its collection", async () => {
    const { admin } = world.people;
    const boss = callerOf(world, admin);
    const { id } = await create();
    expect((await boss.archive(id)).lastModifiedById).toBe(admin.id);
    expect((await editor.unarchive(id)).lastModifiedById).toBe(world.people.editor.id);
    await boss.delete(id);
    const trashed = await editor.list({ deleted: true, limit: 100 });
    expect(trashed.data.find((row) => row.id === id)).toMatchObject({ lastModifiedById: admin.id });
    await editor.restore(id);
    expect((await editor.get(id)).lastModifiedById).toBe(world.people.editor.id);
    const collection = await boss.createCollection({ name: "Put away" });
    await world.setDefaultAccess(collection.id, "write");
    const inside = await create({ collectionId: collection.id });
    await boss.archiveCollection(collection.id);
    const archived = await editor.get(inside.id);
    expect([archived.lastModifiedById, archived.updatedAt]).toEqual([admin.id, archived.archivedAt]);
  });

  it("changes nothing when it is repeated", { meta: { proves: ["decision.documents.archive"] } }, async () => {
    const { id } = await create();
    const archived = await editor.archive(id);
    expect(await editor.archive(id)).toEqual(archived);
    const active = await editor.unarchive(id);
    expect(await editor.unarchive(id)).toEqual(active);
  });

  it("leaves documents archived that were archived before the batch", {
    meta: { proves: ["decision.documents.archive"] },
  }, async () => {
    const root = await create();
    const child = await create({ parentDocumentId: root.id });
    await editor.archive(child.id);
    await editor.archive(root.id);
    await editor.unarchive(root.id);
    expect((await editor.get(root.id)).archivedAt).toBeNull();
    expect((await editor.get(child.id)).archivedAt).not.toBeNull();
  });

  it("lets no other document below it, while those that are there can be changed", async () => {
    const root = await create();
    const child = await create({ parentDocumentId: root.id });
    const other = await create();
    await editor.archive(root.id);
    await expect(editor.create({ parentDocumentId: root.id })).rejects.toMatchObject({ code: "conflict" });
    await expect(editor.update(other.id, { parentDocumentId: root.id })).rejects.toMatchObject({ code: "conflict" });
    const changed = await editor.update(child.id, { parentDocumentId: root.id, title: "New" });
    expect(changed).toMatchObject({ title: "New", parentDocumentId: root.id });
  });

  it("takes it out of lists and searches that do not ask for archived documents", {
    meta: { proves: ["decision.documents.archived-hidden"] },
  }, async () => {
    const { archived, guide } = world.documents;
    const found = async (filters: object): Promise<string[]> =>
      (await editor.search("archived", filters)).data.map((hit) => hit.document.id);
    expect(await editor.listIds()).not.toContain(archived.id);
    expect(await editor.listIds({ status: ["archived"] })).toContain(archived.id);
    expect(await editor.listIds({ status: ["archived"] })).not.toContain(guide.id);
    expect(await editor.listIds({ status: ["archived", "published"] })).toEqual(
      expect.arrayContaining([archived.id, guide.id]),
    );
    expect(await found({})).not.toContain(archived.id);
    expect(await found({ status: ["archived"] })).toContain(archived.id);
    expect((await editor.get(archived.id)).id).toBe(archived.id);
  });

  it("cannot be undone before its collection leaves the archive", async () => {
    const collection = await editor.createCollection({ name: "Closed" });
    const { id } = await create({ collectionId: collection.id });
    await editor.archiveCollection(collection.id);
    await expect(editor.unarchive(id)).rejects.toMatchObject({ code: "conflict" });
  });
});
