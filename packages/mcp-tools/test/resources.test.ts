import { invoke } from "@kb/core";
import * as operations from "@kb/core/operations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, listOf, openDesk, switchMcp } from "./desk.ts";

describe("resources", () => {
  let desk: Desk;
  let editor: Assistant;
  beforeAll(async () => {
    desk = await openDesk();
    editor = await desk.as(desk.world.people.editor);
  });
  afterAll(() => desk.close());

  const read = async (uri: string) => (await editor.client.readResource({ uri })).contents;

  it("kb://documents/{id} is the document as Markdown, in full however long it is", {
    meta: { proves: ["decision.tools.resources"] },
  }, async () => {
    const { guide } = desk.world.documents;
    const uri = `kb://documents/${guide.id}`;
    expect(await read(uri)).toEqual([
      { uri, mimeType: "text/markdown", text: "# Guide\n\nHow *we* work.\n\n## Steps\n\n- one\n- two\n" },
    ]);
    const { service, people, collections } = desk.world;
    const text = "A long line of text.\n\n".repeat(20_000);
    const input = { collectionId: collections.open, text };
    const long = await invoke(service, operations.createDocument, people.editor.actor, input);
    const [content] = await read(`kb://documents/${long.id}`);
    expect(content).toMatchObject({ text: `${text.trimEnd()}\n` });
  });

  it("kb://collections/{id} is the collection with the documents changed last", {
    meta: { proves: ["decision.tools.resources"] },
  }, async () => {
    const uri = `kb://collections/${desk.world.collections.readable}`;
    const [content] = await read(uri);
    expect(content).toMatchObject({ uri, mimeType: "application/json" });
    const shown = JSON.parse(content !== undefined && "text" in content ? content.text : "");
    expect(shown).toMatchObject({ name: "Readable", canWrite: true, documentCount: 1, nextCursor: null });
    expect(listOf(shown.documents)).toMatchObject([{ title: "Draft of the admin", canWrite: true }]);
  });

  it("what the caller may not read, what does not exist and what is no id answer alike", async () => {
    const { secret, foreign, trashed } = desk.world.documents;
    const { vault, foreign: theirs } = desk.world.collections;
    const unknown = "00000000-0000-7000-8000-000000000000";
    const uris = [
      ...[secret.id, foreign.id, trashed.id, unknown, "nonsense"].map((id) => `kb://documents/${id}`),
      ...[vault, theirs, unknown, "nonsense"].map((id) => `kb://collections/${id}`),
    ];
    for (const uri of uris) {
      await expect(read(uri), uri).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining(uri) });
    }
  });

  it("the list has the collections and the documents changed last that the caller may read", async () => {
    const { resources } = await editor.client.listResources();
    const uris = resources.map((resource) => resource.uri);
    const { guide, secret } = desk.world.documents;
    const { open, vault } = desk.world.collections;
    expect(uris).toEqual(expect.arrayContaining([`kb://documents/${guide.id}`, `kb://collections/${open}`]));
    for (const hidden of [`kb://documents/${secret.id}`, `kb://collections/${vault}`])
      expect(uris).not.toContain(hidden);
    expect(resources.find(({ uri }) => uri.endsWith(guide.id))).toMatchObject({
      title: "Guide",
      mimeType: "text/markdown",
    });
    const { resourceTemplates } = await editor.client.listResourceTemplates();
    expect(resourceTemplates.map((template) => template.uriTemplate)).toEqual([
      "kb://documents/{id}",
      "kb://collections/{id}",
    ]);
  });

  it("with MCP switched off nothing is read", async () => {
    await switchMcp(desk.world, false);
    await expect(read(`kb://documents/${desk.world.documents.guide.id}`)).rejects.toThrow(/MCP_DISABLED/);
    await expect(editor.client.listResources()).rejects.toThrow(/MCP_DISABLED/);
    await switchMcp(desk.world, true);
  });
});
