import { callerOf } from "@kb/core/testing";
import { expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

it("a collection is archived with its documents, and brought back with them", {
  meta: { proves: ["decision.collections.archive", "collection.field.archived-at"] },
}, async () => {
  const { id } = await editor.createCollection({ name: "Project" });
  const inside = await editor.create({ collectionId: id });
  const before = await editor.create({ collectionId: id });
  await editor.archive(before.id);
  const listed = async (query = {}): Promise<string[]> => (await editor.listCollections(query)).map((row) => row.id);

  const archived = await editor.archiveCollection(id);
  expect(archived).toMatchObject({ id, archivedAt: expect.any(String) });
  expect(await editor.archiveCollection(id)).toEqual(archived);
  expect(await listed()).not.toContain(id);
  expect(await listed({ archived: true })).toContain(id);
  expect(await listed({ archived: true })).not.toContain(world.collections.open);
  expect((await editor.get(inside.id)).archivedAt).not.toBeNull();
  expect(await editor.getCollection(id)).toEqual(archived);

  const active = await editor.unarchiveCollection(id);
  expect(active).toMatchObject({ id, archivedAt: null });
  expect(await editor.unarchiveCollection(id)).toEqual(active);
  expect((await editor.get(inside.id)).archivedAt).toBeNull();
  expect((await editor.get(before.id)).archivedAt).not.toBeNull();
});
