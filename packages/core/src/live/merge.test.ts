import { sql } from "@kb/db";
import { parseMarkdown } from "markdown-codec";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { callerOf, outcomeOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);
const admin = callerOf(world, world.people.admin);

async function opened(text: string) {
  const { id } = await editor.create({ text, publish: true });
  const client = new LiveClient(world, world.people.editor, id);
  await client.open();
  return { id, client };
}

const markdownOf = async (id: string) => (await editor.get(id, { format: "markdown" })).markdownText;
const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index} of a page.`).join("\n\n");

describe("a change over REST of a document that is edited live", () => {
  it("keeps what was typed before, and makes it a revision of its own", async () => {
    const { id, client } = await opened("one");
    await client.type("zero ");
    const edited = await admin.edit(id, { op: "append", markdown: "two" });
    expect(edited.revision).toBe(3);
    expect(await markdownOf(id)).toBe("zero one\n\ntwo\n");
    const { data } = await editor.revisions(id);
    expect(data.map(({ revision, credentialKind }) => [revision, credentialKind])).toEqual([
      [3, "api_key"],
      [2, "live"],
      [1, "api_key"],
    ]);
  });

  it("of the whole body removes what was typed since the caller's read, which a revision from just before has", {
    meta: { proves: ["live.failure.replaced"] },
  }, async () => {
    const { id, client } = await opened("one");
    await client.type("zero ");
    await admin.update(id, { text: "all new" });
    expect(await markdownOf(id)).toBe("all new\n");
    const { data } = await editor.revisions(id);
    expect(data.map(({ credentialKind }) => credentialKind)).toEqual(["api_key", "live", "api_key"]);
    expect((await editor.revision(id, 2)).markdownText).toBe("zero one\n");
  });

  it("becomes steps of the log, so that a typist who has not seen it loses nothing", async () => {
    const { id, client } = await opened("one\n\ntwo");
    await admin.edit(id, { op: "replace_text", oldText: "two", newText: "three" });
    await admin.update(id, { text: "new\n\none\n\nthree" });
    const { batches } = await client.batches();
    expect(batches.map(({ kind, author }) => [kind, author])).toEqual([
      ["api_key", world.people.admin.actor.userId],
      ["api_key", world.people.admin.actor.userId],
    ]);
    expect(await client.push([insertedText(4, " typed")])).toMatchObject({ version: 3, accepted: "changed" });
    expect(await markdownOf(id)).toBe("new\n\none typed\n\nthree\n");
  });

  it.each([20, 2_000])(
    "joins the log of a document of %i paragraphs, also when it is restored from the history",
    async (count) => {
      const text = paragraphs(count);
      const { id, client } = await opened(text);
      await client.push([insertedText(1, "typed ")]);
      await admin.edit(id, { op: "append", markdown: "appended" });
      expect(await markdownOf(id)).toBe(`typed ${text}\n\nappended\n`);
      await admin.restoreRevision(id, 1);
      expect(await markdownOf(id)).toBe(`${text}\n`);
      expect(await client.push([insertedText(1, "late ")])).toMatchObject({ version: 4 });
      expect(await markdownOf(id)).toBe(`late ${text}\n`);
    },
  );

  it("of its title and tags needs no step, and saves what was typed first", async () => {
    const { id, client } = await opened("one");
    await client.type("zero ");
    expect(await admin.update(id, { title: "Renamed" })).toMatchObject({ revision: 3, text: "zero one" });
    expect((await client.batches()).version).toBe(1);
  });

  it("by somebody who may not make it is refused, and saves nothing", async () => {
    const { id, client } = await opened("one");
    await client.type("zero ");
    const viewer = callerOf(world, world.people.viewer);
    expect(await outcomeOf(viewer.update(id, { title: "New" }))).toBe("forbidden");
    expect(await outcomeOf(viewer.run(operations.deleteDocument, { id }))).toBe("forbidden");
    const [log] = await test.database.rows<{ savedVersion: number }>(sql`SELECT "savedVersion" FROM live_documents
      WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
    expect(log).toEqual({ savedVersion: 0 });
  });

  it("fails its guard when somebody has typed since the caller's read", async () => {
    const { id, client } = await opened("one");
    const { revision } = await editor.get(id);
    await client.type("zero ");
    expect(await outcomeOf(admin.update(id, { text: "all new", expectedRevision: revision }))).toBe(
      "revision_conflict",
    );
    expect(await outcomeOf(admin.update(id, { title: "New" }, { expectedRevisions: [revision] }))).toBe(
      "revision_conflict",
    );
    expect(await markdownOf(id)).toBe("zero one\n");
  });

  it("previews an edit of what was typed", async () => {
    const { id, client } = await opened("one");
    await client.type("zero ");
    expect(await admin.previewEdit(id, { op: "append", markdown: "two" })).toMatchObject({ revision: 2 });
  });
});

describe("an assistant, while a person types", () => {
  const markdown = "all new";

  it("may not replace the whole body without the revision that it has read", async () => {
    const { id, client } = await opened("one");
    await client.type("zero ");
    const read = await admin.run(operations.readDocumentForAssistants, { id });
    expect(read).toMatchObject({ markdown: "zero one\n", editingNow: [world.people.editor.actor.userName] });
    const replace = (guard: object) => admin.run(operations.updateDocumentForAssistants, { id, markdown, ...guard });
    await expect(replace({})).rejects.toMatchObject({
      code: "editing_now",
      details: [{ path: "markdown", editingNow: [world.people.editor.actor.userName] }],
    });
    expect(await replace({ expectedRevision: read.revision })).toMatchObject({ changed: ["markdown"] });
  });

  it("may change a part, and so may the typist's own assistant change it all", async () => {
    const { id, client } = await opened("one");
    await client.type("zero ");
    await admin.edit(id, { op: "append", markdown: "two" });
    await editor.run(operations.updateDocumentForAssistants, { id, markdown });
    expect(await markdownOf(id)).toBe("all new\n");
    expect((await editor.run(operations.readDocumentForAssistants, { id })).editingNow).toBeUndefined();
  });
});

describe("a checkpoint", () => {
  it("leads to one event and one revision for all batches, and names everybody who wrote", async () => {
    const { id, client } = await opened("one");
    const other = new LiveClient(world, world.people.admin, id);
    await other.open();
    await client.type("a");
    await other.push([insertedText(4, "b")]);
    expect((await editor.get(id)).revision).toBe(2);
    const events = await test.database.client.event.findMany({
      where: { teamId: world.teamId, documentId: id, type: "document.updated" },
    });
    const people = [world.people.editor.actor.userId, world.people.admin.actor.userId];
    expect(events.map(({ data }) => data)).toMatchObject([{ revision: 2, changed: ["text"], contributors: people }]);
    const { data } = await editor.revisions(id);
    expect(data[0]?.contributors?.map((person) => person.id).sort()).toEqual([...people].sort());
    const entries = await test.database.client.auditEntry.findMany({
      where: { teamId: world.teamId, targetId: id, action: "documents.live_edit" },
    });
    expect(new Set(entries.map(({ userId }) => userId))).toEqual(new Set(people));
  });

  it("that changes nothing makes no revision", async () => {
    const { id, client } = await opened("one");
    await client.type("x");
    await client.push([{ stepType: "replace", from: 1, to: 2 }]);
    expect(await editor.get(id)).toMatchObject({ revision: 1, text: "one" });
  });

  it("brings the document into normal form by a batch that everybody receives", async () => {
    const { id, client } = await opened("one");
    const doc = parseMarkdown("one\n\n# two");
    await client.push([
      {
        stepType: "replace",
        from: 5,
        to: 5,
        slice: { content: [doc.content[1], { type: "table", content: [{ type: "tableRow" }] }] },
      },
    ]);
    const before = await markdownOf(id);
    const { batches, version } = await client.batches();
    expect(batches.map(({ kind }) => kind)).toEqual(["session", "system"]);
    client.version = version;
    await client.push([insertedText(1, "zero ")]);
    expect(await markdownOf(id)).toBe(`zero ${before}`);
  });

  it("is found by the search and by the sync", async () => {
    const { id, client } = await opened("one");
    let since = { updatedSince: new Date(0).toISOString() } as object;
    for (let page = await editor.sync(since); ; page = await editor.sync(since)) {
      since = { cursor: page.nextCursor };
      if (!page.hasMore) break;
    }
    await client.type("zyzzyva ");
    await editor.get(id);
    expect((await editor.search("zyzzyva")).data.map(({ document }) => document.id)).toEqual([id]);
    expect((await editor.sync(since)).data.filter((row) => row.id === id)).toHaveLength(1);
  });
});
