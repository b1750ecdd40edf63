import { describe, expect, it } from "vitest";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const actor = () => world.people.admin.actor;
const input = {
  collectionId: world.collections.open,
  title: "Sparse",
  text: "A quagga.",
  publish: true,
  tags: ["one"],
};
const id = (await invoke(world.service, operations.createDocument, actor(), input)).id;

const list = (input: object) => invoke(world.service, operations.listDocuments, actor(), { title: "Sparse", ...input });

describe("fields", () => {
  it("a list shows only the named fields of each row", async () => {
    expect((await list({ fields: "id,title" })).data).toEqual([{ id, title: "Sparse" }]);
    expect((await list({ fields: "text, tags" })).data).toEqual([{ text: "A quagga.\n".trim(), tags: ["one"] }]);
  });

  it("without it rows are complete", async () => {
    expect((await list({})).data).toEqual([expect.objectContaining({ id, text: "A quagga.", revision: 1 })]);
  });

  it("markdownText is read where it is named, and only there", async () => {
    expect((await list({ fields: "markdownText" })).data).toEqual([{ markdownText: "A quagga.\n" }]);
    expect((await list({ fields: "id", format: "markdown" })).data).toEqual([{ id }]);
  });

  it("the sync shows the named fields, and tombstones as they are", async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const page = await list({ fields: "id,revision", updatedSince: since, title: "Sparse" });
    expect(page.data).toEqual([{ id, revision: 1 }]);
    const input = { collectionId: world.collections.open, title: "Gone", publish: true };
    const gone = await invoke(world.service, operations.createDocument, actor(), input);
    await invoke(world.service, operations.deleteDocument, actor(), { id: gone.id });
    const all = { updatedSince: since, includeDeleted: true, fields: "id" };
    const { data } = await invoke(world.service, operations.listDocuments, actor(), all);
    expect(data).toContainEqual({ id: gone.id, tombstone: true, deletedAt: expect.any(String) });
  });

  it("a search shows the named fields of the documents that it finds", async () => {
    const page = await invoke(world.service, operations.searchDocuments, actor(), { query: "quagga", fields: "id" });
    expect(page.data).toEqual([{ document: { id }, snippet: "A <mark>quagga</mark>.", score: expect.any(Number) }]);
  });

  it.each(["id,nothing", "", "content", "id,,title", "constructor"])(
    "an unknown name is refused: %j",
    async (fields) => {
      await expect(list({ fields })).rejects.toMatchObject({
        code: "validation_error",
        details: [{ path: "fields", message: expect.stringContaining("Unknown field") }],
      });
    },
  );
});
