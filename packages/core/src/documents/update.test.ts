import { callerOf, createWorld, outcomeOf, type TestCaller, unknownId, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";

let test: TestDatabase;
let world: World;
let editor: TestCaller;
let document: DocumentView;
beforeAll(async () => {
  test = await testDatabase();
  world = await createWorld(test.database);
  editor = callerOf(world, world.people.editor);
});
beforeEach(async () => {
  document = await editor.create({ title: "Before", text: "The body.", tags: ["old"] });
});
afterAll(() => test.drop());

const update = (change: object): Promise<DocumentView> => editor.update(document.id, change);
const read = (): Promise<DocumentView> => editor.get(document.id, { format: "markdown" });
const eventsOf = (id: string): Promise<{ type: string; changed: string[]; revision: number }[]> =>
  test.database.rows(sql`SELECT e.type, e.data->'changed' AS changed, (e.data->>'revision')::int AS revision
    FROM events e WHERE e."teamId" = ${world.teamId}::uuid AND e."documentId" = ${id}::uuid ORDER BY e.sequence`);

describe("an update", () => {
  it("returns the changed document", { meta: { proves: ["documents.update"] } }, async () => {
    const after = await update({ title: "After" });
    expect(after).toEqual({ ...document, title: "After", revision: 2, updatedAt: after.updatedAt });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(document.updatedAt));
  });

  it("has only optional fields", {
    meta: { proves: ["documents.update.all-optional", "decision.documents.no-op"] },
  }, async () => {
    expect(await update({})).toEqual(document);
  });

  it("takes a title of at most 255 characters", {
    meta: { proves: ["documents.update.title", "limits.document-title"] },
  }, async () => {
    expect((await update({ title: "🧪".repeat(255) })).title).toBe("🧪".repeat(255));
    await expect(update({ title: "🧪".repeat(256) })).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "title" }],
    });
  });

  it("replaces the body by `text`", {
    meta: { proves: ["documents.update.text", "document.field.text"] },
  }, async () => {
    expect((await update({ text: "# New\n\n- one\n" })).text).toBe("New\none");
    expect((await read()).markdownText).toBe("# New\n\n- one\n");
    expect((await update({ text: "" })).text).toBe("");
  });

  it("replaces the body by `content`, which takes precedence over `text`", {
    meta: { proves: ["documents.update.content", "body.text-or-content"] },
  }, async () => {
    const content = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "JSON" }] }] };
    expect((await update({ text: "Markdown", content })).text).toBe("JSON");
  });

  it("publishes and unpublishes", {
    meta: { proves: ["documents.update.published", "documents.state.publish", "documents.state.unpublish"] },
  }, async () => {
    const published = await update({ published: true });
    expect(published).toMatchObject({ publishedAt: published.updatedAt, revision: 2 });
    expect(await update({ published: false })).toMatchObject({ publishedAt: null, revision: 3 });
  });

  it("replaces the tags, clears them with an empty list, and keeps them without the field", {
    meta: { proves: ["documents.update.tags", "documents.update.tags-empty", "documents.create.tags-replace"] },
  }, async () => {
    expect((await update({ tags: ["New", "other"] })).tags).toEqual(["new", "other"]);
    expect((await update({ title: "Same tags" })).tags).toEqual(["new", "other"]);
    expect((await update({ tags: [] })).tags).toEqual([]);
  });

  it("of the tags keeps restricted ones", {
    meta: { proves: ["tag.restricted-unset", "document.field.tags"] },
  }, async () => {
    const { id } = world.documents.guide;
    expect((await editor.update(id, { tags: ["hidden"] })).tags).toEqual(["hidden"]);
    expect((await editor.update(id, { tags: [] })).tags).toEqual([]);
    const links = await test.database.rows(sql`SELECT 1 FROM document_tags WHERE "teamId" = ${world.teamId}::uuid
      AND "documentId" = ${id}::uuid AND "tagId" = ${world.tags.hidden}::uuid`);
    expect(links).toHaveLength(1);
    expect((await callerOf(world, world.people.admin).get(id)).tags).toEqual([]);
  });

  it("takes an emoji, a sort order and the full width; null clears the emoji", {
    meta: { proves: ["decision.documents.moves", "document.field.emoji"] },
  }, async () => {
    const fields = { emoji: "🚀", sortOrder: 2.5, fullWidth: true };
    expect(await update(fields)).toMatchObject({ ...fields, revision: 2 });
    expect((await update({ emoji: null })).emoji).toBeNull();
  });
});

describe("a refused update", () => {
  it("names an unknown key and a field of a wrong type", { meta: { proves: ["errors.validation"] } }, async () => {
    await expect(update({ publish: true })).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "publish", message: "Unknown field" }],
    });
    for (const change of [
      { title: null },
      { title: 1 },
      { text: null },
      { content: null },
      { published: null },
      { published: "true" },
      { tags: null },
      { tags: "a" },
      { collectionId: null },
      { collectionId: "x" },
      { parentDocumentId: "x" },
      { sortOrder: null },
      { fullWidth: null },
      { expectedRevision: 0 },
      { expectedRevision: "1" },
    ]) {
      await expect(update(change), JSON.stringify(change)).rejects.toMatchObject({
        code: "validation_error",
        details: [{ path: Object.keys(change)[0] }],
      });
    }
    expect((await read()).revision).toBe(1);
  });

  it("does not find an unknown document", { meta: { proves: ["errors.document-not-found"] } }, async () => {
    await expect(editor.update(unknownId, { title: "x" })).rejects.toMatchObject({
      code: "not_found",
      message: "Document not found",
    });
  });

  it("leaves nothing half-written", async () => {
    const before = await read();
    const half = { title: "Half", tags: ["half-made"], text: "half", parentDocumentId: unknownId };
    expect(await outcomeOf(update(half))).toBe("not_found");
    const image = { title: "Half", text: "![x](data:image/png;base64,AAAA)" };
    expect(await outcomeOf(update(image))).toBe("inline_image_rejected");
    expect(await read()).toEqual(before);
    expect((await editor.listTags()).map((tag) => tag.name)).not.toContain("half-made");
  });

  it("has an inline base64 image; an image by its URL is accepted", {
    meta: { proves: ["body.inline-image", "body.round-trip.images"] },
  }, async () => {
    const image = { type: "image", attrs: { src: "data:image/png;base64,iVBORw0KGgo=" } };
    for (const change of [
      { text: "# A\n\n![x](data:image/png;base64,iVBORw0KGgo=)" },
      { text: "[a]: data:image/gif;base64,R0lG\n\n![x][a]" },
      { content: { type: "doc", content: [{ type: "paragraph", content: [image] }] } },
    ]) {
      expect(await outcomeOf(update(change)), JSON.stringify(change)).toBe("inline_image_rejected");
    }
    await update({ text: '![alt](https://example.org/a.png "title")' });
    expect((await read()).markdownText).toBe('![alt](https://example.org/a.png "title")\n');
  });
});

describe("the trace of a change", () => {
  it("is one revision and a later updatedAt for every change of what the document shows", {
    meta: { proves: ["decision.documents.revision", "document.field.revision"] },
  }, async () => {
    const { id } = document;
    const parent = await editor.create();
    const target = await editor.createCollection({ name: "Target" });
    const changes: readonly (() => Promise<unknown>)[] = [
      () => update({ title: "T" }),
      () => update({ text: "B" }),
      () => update({ emoji: "🎈" }),
      () => update({ tags: ["t"] }),
      () => update({ parentDocumentId: parent.id }),
      () => update({ parentDocumentId: null }),
      () => update({ collectionId: target.id }),
      () => update({ collectionId: world.collections.open }),
      () => update({ sortOrder: 3 }),
      () => update({ fullWidth: true }),
      () => update({ published: true }),
      () => update({ published: false }),
      () => editor.archive(id),
      () => editor.unarchive(id),
      () => editor.edit(id, { op: "append", markdown: "more" }),
      () => editor.restoreRevision(id, 1),
      async () => editor.undoRevision(id, (await read()).revision),
      () => editor.delete(id),
      () => editor.restore(id),
      () => update({ title: "U", text: "C", tags: ["u"], published: true, sortOrder: 4, emoji: null }),
    ];
    // Another author, so that the first state is kept as a revision of its own.
    await callerOf(world, world.people.admin).update(id, { fullWidth: false, title: "By another" });
    let last = await read();
    for (const change of changes) {
      await change();
      const now = await editor.get(id, { deleted: true });
      expect(now.revision, String(change)).toBe(last.revision + 1);
      expect(Date.parse(now.updatedAt), String(change)).toBeGreaterThan(Date.parse(last.updatedAt));
      last = now;
    }
    expect(last.revision).toBe(2 + changes.length);
  });

  it("is neither a revision nor an event for a write that changes nothing", {
    meta: { proves: ["decision.documents.no-op"] },
  }, async () => {
    const { id } = document;
    const text = "# Same\n\n* item\n";
    const shown = { tags: ["b", "A"], published: true, emoji: "🎈", sortOrder: 1, fullWidth: true };
    const full = { title: "Same", text, ...shown };
    const before = await update(full);
    const events = await eventsOf(id);
    const writes: readonly (() => Promise<DocumentView>)[] = [
      () => update({ ...full, collectionId: before.collectionId, parentDocumentId: null }),
      () => update({ tags: ["a", "B", "b"] }),
      () => update({ text: "# Same\n\n- item" }),
      () => editor.unarchive(id),
      () => editor.edit(id, { op: "append", markdown: "" }),
      () => editor.edit(id, { op: "replace_text", oldText: "item", newText: "item" }),
      () => editor.restoreRevision(id, before.revision),
    ];
    for (const write of writes) expect(await write(), String(write)).toEqual(before);
    expect(await eventsOf(id)).toEqual(events);
    expect((await read()).revision).toBe(before.revision);
  });

  it("is an event for each change, with the fields that changed, in the transaction of the change", async () => {
    await update({ title: "T", published: true });
    await update({ sortOrder: 9 });
    expect(await eventsOf(document.id)).toEqual([
      { type: "document.created", changed: [], revision: 1 },
      { type: "document.updated", changed: ["title"], revision: 2 },
      { type: "document.published", changed: ["publishedAt"], revision: 2 },
      { type: "document.updated", changed: ["sortOrder"], revision: 3 },
    ]);
    expect(await outcomeOf(update({ title: "U", collectionId: unknownId }))).toBe("not_found");
    expect(await eventsOf(document.id)).toHaveLength(4);
  });
});
