import { callerOf } from "@kb/core/testing";
import { sql } from "@kb/db";
import { expect, it } from "vitest";
import * as operations from "./operations.ts";
import { testWorld } from "./testing/test-world.ts";

const sent: string[] = [];
const { test, world } = await testWorld({}, { onQuery: (text) => void sent.push(text) });
const editor = callerOf(world, world.people.editor);

/** Returns how often work waits for the disk. */
async function waitsDuring(work: () => Promise<unknown>): Promise<number> {
  sent.length = 0;
  await work();
  return sent.filter((text) => text.includes("pg_logical_emit_message")).length;
}

/** Changes a document as another process does that this one knows nothing of. */
async function changeElsewhere(id: string): Promise<void> {
  await test.database.execute(sql`UPDATE documents SET revision = revision + 1,
    "updatedAt" = GREATEST((SELECT max(d."updatedAt") FROM documents d WHERE d."teamId" = ${world.teamId}::uuid), now())
      + interval '1 s'
    WHERE "teamId" = ${world.teamId}::uuid AND id = ${id}::uuid`);
}

const reads: readonly [string, (id: string) => Promise<unknown>][] = [
  ["a document", (id) => editor.run(operations.getDocument, { id })],
  ["a list", () => editor.run(operations.listDocuments, {})],
  ["the sync", () => editor.sync({ updatedSince: "1970-01-01T00:00:00Z" })],
  ["a search", () => editor.run(operations.searchDocuments, { query: "rhubarb" })],
  ["the history", (id) => editor.run(operations.listRevisions, { id, limit: 25, offset: 0 })],
  ["a list for assistants", () => editor.run(operations.listDocumentsForAssistants, {})],
];

it.each(reads)("%s waits once for a change of another process to be on the disk", async (_, read) => {
  const { id } = await editor.create({ title: "Rhubarb", publish: true });
  await changeElsewhere(id);
  expect(await waitsDuring(() => read(id))).toBe(1);
  expect(await waitsDuring(() => read(id))).toBe(0);
});

it("the reader of its own process's change does not wait", async () => {
  const { id } = await editor.create({ title: "Quince", publish: true });
  expect(await waitsDuring(() => editor.run(operations.getDocument, { id }))).toBe(0);
});

it("a conflict waits before it names the current revision", async () => {
  const { id, revision } = await editor.create({ title: "Medlar", publish: true });
  await changeElsewhere(id);
  const change = editor.run(operations.updateDocument, { id, title: "Damson", expectedRevision: revision });
  const conflict = expect(change).rejects.toMatchObject({ code: "revision_conflict" });
  expect(await waitsDuring(() => conflict)).toBe(1);
});
