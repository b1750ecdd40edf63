import type { DocumentView } from "@kb/core";
import { sql } from "@kb/db";
import type { ApiClient, Failure, One, Reply } from "@kb/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("PATCH /api/v1/documents/{id}", () => {
  let setting: Setting;
  let editor: ApiClient;
  let document: DocumentView;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  beforeEach(async () => {
    document = await make({ title: "Before", text: "The body.", tags: ["old"] });
  });
  afterAll(() => setting.close());

  const make = async (input: object = {}): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, ...input };
    return (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };
  const patch = (input: object, headers?: Record<string, string>): Promise<Reply<One<DocumentView>>> =>
    editor.patch(`/api/v1/documents/${document.id}`, input, headers);
  const refused = (input: object, headers?: Record<string, string>): Promise<Reply<Failure>> =>
    editor.patch(`/api/v1/documents/${document.id}`, input, headers);
  const read = async (id = document.id): Promise<DocumentView> =>
    (await editor.get<One<DocumentView>>(`/api/v1/documents/${id}?format=markdown`)).body.data;
  const eventsOf = (id: string): Promise<{ type: string; changed: string[]; revision: number }[]> =>
    setting.database.rows(sql`SELECT e.type, e.data->'changed' AS changed, (e.data->>'revision')::int AS revision
      FROM events e WHERE e."teamId" = ${setting.world.teamId}::uuid AND e."documentId" = ${id}::uuid ORDER BY e.sequence`);

  it("answers 200 with the document as it is then [documents.update]", async () => {
    const { status, headers, body } = await patch({ title: "After" });
    expect(status).toBe(200);
    expect(headers.get("ETag")).toBe('"2"');
    expect(body.data).toMatchObject({ id: document.id, title: "After", revision: 2, text: "The body.", tags: ["old"] });
    expect(body.data.createdAt).toBe(document.createdAt);
    expect(Date.parse(body.data.updatedAt)).toBeGreaterThan(Date.parse(document.updatedAt));
  });

  it("every field is optional, all of them too [documents.update.all-optional] [decision.documents.no-op]", async () => {
    const { status, body } = await patch({});
    expect(status).toBe(200);
    expect(body.data).toEqual(document);
  });

  it("a title has at most 255 characters [documents.update.title] [limits.document-title]", async () => {
    expect((await patch({ title: "🧪".repeat(255) })).status).toBe(200);
    expect((await refused({ title: "🧪".repeat(256) })).body.details?.[0]?.path).toBe("title");
  });

  it("text replaces the body [documents.update.text] [document.field.text]", async () => {
    expect((await patch({ text: "# New\n\n- one\n" })).body.data.text).toBe("New\none");
    expect((await read()).markdownText).toBe("# New\n\n- one\n");
    expect((await patch({ text: "" })).body.data.text).toBe("");
  });

  it("content replaces the body, and wins over text [documents.update.content] [body.text-or-content]", async () => {
    const content = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "JSON" }] }] };
    expect((await patch({ text: "Markdown", content })).body.data.text).toBe("JSON");
  });

  it("published true publishes, false unpublishes [documents.update.published] [documents.state.publish] [documents.state.unpublish]", async () => {
    const published = (await patch({ published: true })).body.data;
    expect(published).toMatchObject({ publishedAt: published.updatedAt, revision: 2 });
    const draft = (await patch({ published: false })).body.data;
    expect(draft).toMatchObject({ publishedAt: null, revision: 3 });
  });

  it("tags replaces the tags, an empty list clears them, left out they stay [documents.update.tags] [documents.update.tags-empty] [documents.create.tags-replace]", async () => {
    expect((await patch({ tags: ["New", "other"] })).body.data.tags).toEqual(["new", "other"]);
    expect((await patch({ title: "Same tags" })).body.data.tags).toEqual(["new", "other"]);
    expect((await patch({ tags: [] })).body.data.tags).toEqual([]);
  });

  it("replacing the tags leaves restricted ones alone [tag.restricted-unset] [document.field.tags]", async () => {
    const { guide } = setting.world.documents;
    const carries = (): Promise<unknown[]> =>
      setting.database.rows(sql`SELECT 1 FROM document_tags WHERE "teamId" = ${setting.world.teamId}::uuid
        AND "documentId" = ${guide.id}::uuid AND "tagId" = ${setting.world.tags.hidden}::uuid`);
    const replies = [
      await editor.patch<One<DocumentView>>(`/api/v1/documents/${guide.id}`, { tags: ["hidden"] }),
      await editor.patch<One<DocumentView>>(`/api/v1/documents/${guide.id}`, { tags: [] }),
    ];
    expect(replies.map((reply) => reply.body.data.tags)).toEqual([["hidden"], []]);
    expect(await carries()).toHaveLength(1);
    const asAdmin = setting.as(setting.world.people.admin);
    expect((await asAdmin.get<One<DocumentView>>(`/api/v1/documents/${guide.id}`)).body.data.tags).toEqual([]);
  });

  it("takes emoji, sortOrder and fullWidth; null clears the emoji [decision.documents.moves] [document.field.emoji]", async () => {
    expect((await patch({ emoji: "🚀", sortOrder: 2.5, fullWidth: true })).body.data).toMatchObject({
      ...{ emoji: "🚀", sortOrder: 2.5, fullWidth: true, revision: 2 },
    });
    expect((await patch({ emoji: null })).body.data.emoji).toBeNull();
  });

  it("an unknown key, a wrong type and an id in the body are errors [decision.api.unknown-body-key] [errors.validation]", async () => {
    expect((await refused({ publish: true })).body.details).toEqual([{ path: "publish", message: "Unknown field" }]);
    for (const input of [
      ...[{ title: null }, { title: 1 }, { text: null }, { content: null }, { published: null }, { published: "true" }],
      ...[{ tags: null }, { tags: "a" }, { collectionId: null }, { collectionId: "x" }, { parentDocumentId: "x" }],
      ...[{ sortOrder: null }, { fullWidth: null }, { expectedRevision: 0 }, { expectedRevision: "1" }],
    ]) {
      const { status, body } = await refused(input);
      expect({ status, code: body.code }, JSON.stringify(input)).toEqual({ status: 400, code: "validation_error" });
      expect(body.details?.[0]?.path).toBe(Object.keys(input)[0]);
    }
    expect(await read()).toMatchObject({ revision: 1 });
  });

  it("an unknown document is 404 [errors.document-not-found] [decision.api.code.not-found]", async () => {
    const { status, body } = await editor.patch(`/api/v1/documents/${unknownId}`, { title: "x" });
    expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
  });

  it("every change of what the document shows counts one revision, and moves updatedAt [decision.documents.revision] [document.field.revision]", async () => {
    const { world } = setting;
    const parent = await make();
    const target = (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Target" })).body.data.id;
    const path = `/api/v1/documents/${document.id}`;
    const changes: [string, string, object?][] = [
      ["PATCH", path, { title: "T" }],
      ["PATCH", path, { text: "B" }],
      ["PATCH", path, { emoji: "🎈" }],
      ["PATCH", path, { tags: ["t"] }],
      ["PATCH", path, { parentDocumentId: parent.id }],
      ["PATCH", path, { parentDocumentId: null }],
      ["PATCH", path, { collectionId: target }],
      ["PATCH", path, { collectionId: world.collections.open }],
      ["PATCH", path, { sortOrder: 3 }],
      ["PATCH", path, { fullWidth: true }],
      ["PATCH", path, { published: true }],
      ["PATCH", path, { published: false }],
      ["POST", `${path}/archive`],
      ["POST", `${path}/unarchive`],
      ["POST", `${path}/edits`, { op: "append", markdown: "more" }],
      ["POST", `${path}/revisions/1/restore`],
      ["DELETE", path],
      ["POST", `${path}/restore`],
      ["PATCH", path, { title: "U", text: "C", tags: ["u"], published: true, sortOrder: 4, emoji: null }],
    ];
    let last = document;
    // Another author, so that the first state is kept as a revision of its own.
    await setting.as(world.people.admin).patch<object>(path, { fullWidth: false, title: "By another" });
    last = await read();
    for (const [method, at, json] of changes) {
      const { status } = await editor.send<object>(method, at, { json });
      expect(status, `${method} ${JSON.stringify(json)}`).toBe(200);
      const deleted = method === "DELETE" ? "?deleted=true" : "";
      const now = (await editor.get<One<DocumentView>>(`${path}${deleted}`)).body.data;
      expect(now.revision, `${method} ${at} ${JSON.stringify(json)}`).toBe(last.revision + 1);
      expect(Date.parse(now.updatedAt)).toBeGreaterThan(Date.parse(last.updatedAt));
      last = now;
    }
    expect(last.revision).toBe(2 + changes.length);
  });

  it("a write that changes nothing leaves no trace: no revision, no event [decision.documents.no-op]", async () => {
    const full = {
      title: "Same",
      text: "# Same\n\n* item\n",
      tags: ["b", "A"],
      published: true,
      emoji: "🎈",
      sortOrder: 1,
    };
    const before = (await patch({ ...full, fullWidth: true })).body.data;
    const events = await eventsOf(document.id);
    const same = { ...full, fullWidth: true, collectionId: before.collectionId, parentDocumentId: null };
    const path = `/api/v1/documents/${document.id}`;
    const writes: [string, string, object?][] = [
      ["PATCH", path, same],
      ["PATCH", path, { tags: ["a", "B", "b"] }],
      ["PATCH", path, { text: "# Same\n\n- item" }],
      ["POST", `${path}/unarchive`],
      ["POST", `${path}/edits`, { op: "append", markdown: "" }],
      ["POST", `${path}/edits`, { op: "replace_text", oldText: "item", newText: "item" }],
      ["POST", `${path}/revisions/${before.revision}/restore`],
    ];
    for (const [method, at, json] of writes) {
      const { status, body } = await editor.send<One<DocumentView>>(method, at, { json });
      expect(status).toBe(200);
      expect(body.data, `${at} ${JSON.stringify(json)}`).toEqual(before);
    }
    expect(await eventsOf(document.id)).toEqual(events);
    expect((await read()).revision).toBe(before.revision);
  });

  it("each change is told once, with what changed, in the transaction that made it", async () => {
    await patch({ title: "T", published: true });
    await patch({ sortOrder: 9 });
    expect(await eventsOf(document.id)).toEqual([
      { type: "document.created", changed: [], revision: 1 },
      { type: "document.updated", changed: ["title"], revision: 2 },
      { type: "document.published", changed: ["publishedAt"], revision: 2 },
      { type: "document.updated", changed: ["sortOrder"], revision: 3 },
    ]);
    await refused({ title: "U", collectionId: unknownId });
    expect(await eventsOf(document.id)).toHaveLength(4);
  });

  it("a refused change leaves nothing half-written", async () => {
    const before = await read();
    expect(
      (await refused({ title: "Half", tags: ["half-made"], text: "half", parentDocumentId: unknownId })).status,
    ).toBe(404);
    expect((await refused({ title: "Half", text: "![x](data:image/png;base64,AAAA)" })).status).toBe(400);
    expect(await read()).toEqual(before);
    const tags = await editor.get<{ data: { name: string }[] }>("/api/v1/tags");
    expect(tags.body.data.map((tag) => tag.name)).not.toContain("half-made");
  });

  it("an inline base64 image is refused, an image by its URL is not [body.inline-image] [body.round-trip.images] [decision.api.code.validation]", async () => {
    const inline = "![x](data:image/png;base64,iVBORw0KGgo=)";
    const content = {
      type: "doc",
      content: [
        { type: "paragraph", content: [{ type: "image", attrs: { src: "data:image/png;base64,iVBORw0KGgo=" } }] },
      ],
    };
    for (const input of [
      { text: `# A\n\n${inline}` },
      { text: `[a]: data:image/gif;base64,R0lG\n\n![x][a]` },
      { content },
    ]) {
      expect(await refused(input), JSON.stringify(input)).toMatchObject({
        status: 400,
        body: { code: "inline_image_rejected" },
      });
    }
    await patch({ text: '![alt](https://example.org/a.png "title")' });
    expect((await read()).markdownText).toBe('![alt](https://example.org/a.png "title")\n');
  });
});
