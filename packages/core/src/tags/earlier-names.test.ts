import { callerOf } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);

// Names that were stored before invisible characters were removed stay as they are: a migration would change documents without an
// author. The next change of the document's tags replaces them.
it("a tag that was stored with an invisible character is shown as it is, and replaced when its document is saved with its tags", async () => {
  const { id } = await editor.create({ publish: true, tags: ["plain"] });
  const stored = "pl\u200bain too";
  await test.database.rows(sql`
    WITH tag AS (INSERT INTO tags ("teamId", id, name) VALUES (${world.teamId}::uuid, ${newId()}::uuid, ${stored}) RETURNING id)
    INSERT INTO document_tags ("teamId", "documentId", "tagId") SELECT ${world.teamId}::uuid, ${id}::uuid, id FROM tag RETURNING 1`);
  const before = await editor.get(id);
  expect(before.tags).toEqual(["plain", stored]);
  expect((await editor.listTags()).map(({ name }) => name)).toContain(stored);
  const after = await editor.update(id, { tags: before.tags });
  expect(after.tags).toEqual(["plain", "plain too"]);
  expect((await editor.list({ tags: stored })).data.map((document) => document.id)).toEqual([id]);
});
