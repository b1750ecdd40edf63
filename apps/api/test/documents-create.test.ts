import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One, Reply } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("POST /api/v1/documents", () => {
  let setting: Setting;
  let editor: ApiClient;
  let viewer: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
    viewer = setting.as(setting.world.people.viewer);
  });
  afterAll(() => setting.close());

  const post = (input: object): Promise<Reply<One<DocumentView>>> =>
    editor.post("/api/v1/documents", { collectionId: setting.world.collections.open, ...input });
  const refused = (input: object): Promise<Reply<Failure>> =>
    editor.post("/api/v1/documents", { collectionId: setting.world.collections.open, ...input });

  it("answers 201 with the document in all its fields [documents.create] [document.field.*] [decision.api.success-status] [decision.documents.url]", async () => {
    const { world } = setting;
    const { editor: author } = world.people;
    const parentDocumentId = world.documents.guide.id;
    const { status, headers, body } = await post({
      title: "Whole",
      text: "# A\n\n**b**",
      tags: ["x"],
      parentDocumentId,
    });
    expect(status).toBe(201);
    expect(headers.get("ETag")).toBe('"1"');
    const { id, createdAt } = body.data;
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
        title: "Whole",
        emoji: null,
        text: "A\nb",
        collectionId: world.collections.open,
        parentDocumentId,
        teamId: world.teamId,
        createdById: author.id,
        lastModifiedById: author.id,
        publishedAt: null,
        archivedAt: null,
        deletedAt: null,
        revision: 1,
        tags: ["x"],
        sortOrder: 0,
        fullWidth: false,
        collaborativeId: null,
        url: `http://localhost:3000/documents/${id}`,
        createdAt,
        updatedAt: createdAt,
      },
    });
    // markdownText is in no answer that did not ask for it; with `format=markdown` it is.
    const listed = await editor.get<One<DocumentView>>(`/api/v1/documents/${id}?format=markdown`);
    expect(listed.body.data.markdownText).toBe("# A\n\n**b**\n");
  });

  it("shows timestamps in ISO 8601, UTC, with milliseconds [service.timestamps] [service.ids] [decision.api.timestamps]", async () => {
    const { data } = (await post({ publish: true })).body;
    for (const at of [data.createdAt, data.updatedAt, data.publishedAt]) {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(Math.abs(Date.parse(data.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  it.each([
    ["left out", {}],
    ["empty", { title: "" }],
    ["only white space", { title: " \t " }],
  ])("a title %s is Untitled [documents.create.title-default]", async (_, input) => {
    expect((await post(input)).body.data.title).toBe("Untitled");
  });

  it("a title has at most 255 characters, counted in code points [documents.create.title-length] [limits.document-title] [document.field.title]", async () => {
    for (const character of ["a", "é", "界", "🧪"]) {
      expect((await post({ title: character.repeat(255) })).status, character).toBe(201);
      const { status, body } = await refused({ title: character.repeat(256) });
      expect({ status, ...body }, character).toMatchObject({ status: 400, code: "validation_error" });
      expect(body.details).toEqual([{ path: "title", message: expect.stringContaining("255") }]);
    }
  });

  it("needs a collection [documents.create.collection-id]", async () => {
    const { status, body } = await editor.post("/api/v1/documents", { title: "Nowhere" });
    expect({ status, ...body }).toMatchObject({ status: 400, code: "validation_error" });
    expect(body.details?.[0]?.path).toBe("collectionId");
    for (const collectionId of [null, "", "x", 7, [setting.world.collections.open]]) {
      expect((await refused({ collectionId })).status).toBe(400);
    }
  });

  it("an unknown collection is 404 [errors.collection-not-found] [decision.api.uuid-unknown]", async () => {
    const { status, body } = await refused({ collectionId: unknownId });
    expect({ status, body }).toEqual({ status: 404, body: { error: "Collection not found", code: "not_found" } });
  });

  it("ids are taken in either case, and shown in lower case [service.ids]", async () => {
    const { data } = (await post({ collectionId: setting.world.collections.open.toUpperCase() })).body;
    expect(data.collectionId).toBe(setting.world.collections.open);
  });

  it("an archived collection takes nothing", async () => {
    const { body } = await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Full" });
    await editor.post<object>(`/api/v1/collections/${body.data.id}/archive`);
    expect(await refused({ collectionId: body.data.id })).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it("puts the document below its parent [documents.create.parent-document-id]", async () => {
    const { guide, trashed, secret } = setting.world.documents;
    expect((await post({ parentDocumentId: guide.id })).body.data.parentDocumentId).toBe(guide.id);
    expect((await post({ parentDocumentId: null })).body.data.parentDocumentId).toBeNull();
    for (const parentDocumentId of [unknownId, trashed.id, secret.id]) {
      const { status, body } = await refused({ parentDocumentId });
      expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
    expect((await refused({ parentDocumentId: "x" })).status).toBe(400);
  });

  it("the parent stands in the same collection [documents.create.parent-document-id]", async () => {
    const { world } = setting;
    const { status, body } = await refused({
      collectionId: world.collections.readable,
      parentDocumentId: world.documents.guide.id,
    });
    expect({ status, ...body }).toMatchObject({ status: 400, code: "validation_error" });
    expect(body.details?.[0]?.path).toBe("parentDocumentId");
  });

  it("is published at once with publish true [documents.create.publish] [documents.state.create-published] [documents.state.timestamps] [document.field.published-at]", async () => {
    const { data } = (await post({ publish: true })).body;
    expect(data.publishedAt).toBe(data.createdAt);
    expect(data.revision).toBe(1);
    expect((await viewer.get<object>(`/api/v1/documents/${data.id}`)).status).toBe(200);
  });

  it.each([{}, { publish: false }])(
    "is a draft with %j [documents.state.create-draft] [documents.state.timestamps]",
    async (input) => {
      const { data } = (await post(input)).body;
      expect(data.publishedAt).toBeNull();
      expect((await viewer.get(`/api/v1/documents/${data.id}`)).status).toBe(404);
    },
  );

  it("reads Markdown and keeps it as structured JSON [documents.create.text] [decision.documents.include-content]", async () => {
    const { data } = (await post({ text: "# A {#a}\n\n*b*\n" })).body;
    const { body } = await editor.get<One<DocumentView>>(`/api/v1/documents/${data.id}?include=content`);
    expect(body.data.content).toMatchObject({
      type: "doc",
      content: [
        { type: "heading", attrs: { level: 1, id: "a" }, content: [{ type: "text", text: "A" }] },
        { type: "paragraph", content: [{ type: "text", text: "b" }] },
      ],
    });
    expect(body.data.markdownText).toBeUndefined();
  });

  it("takes structured JSON; with both, content wins [documents.create.content] [body.text-or-content]", async () => {
    const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
    const content = { type: "doc", content: [paragraph("from JSON")] };
    expect((await post({ content })).body.data.text).toBe("from JSON");
    expect((await post({ content, text: "from Markdown" })).body.data.text).toBe("from JSON");
  });

  it("refuses structured JSON that is no document, and says where [documents.create.content] [errors.validation]", async () => {
    const bad = [
      {},
      { type: "doc", content: [{ type: "mystery" }] },
      { type: "doc", content: [{ type: "heading", attrs: { level: 99 } }] },
      { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: 5 }] }] },
      { type: "paragraph" },
    ];
    for (const content of bad) {
      const { status, body } = await refused({ content });
      expect({ status, ...body }, JSON.stringify(content)).toMatchObject({ status: 400, code: "validation_error" });
      expect(body.details?.[0]?.path).toMatch(/^content/);
    }
    for (const content of [null, "text", 5, []]) expect((await refused({ content })).status).toBe(400);
  });

  it("creates or reuses tags by their normal form [documents.create.tags] [tag.normalized] [document.field.tags]", async () => {
    const { data } = (await post({ tags: ["  Two   Words ", "GUIDE", "ｆｕｌｌ", "guide", "Ärger"] })).body;
    expect(new Set(data.tags)).toEqual(new Set(["two words", "guide", "full", "ärger"]));
    const tags = await editor.get<{ data: { id: string; name: string }[] }>("/api/v1/tags");
    const guides = tags.body.data.filter((tag) => tag.name === "guide");
    expect(guides.map((tag) => tag.id)).toEqual([setting.world.tags.guide]);
  });

  it("a document carries at most 50 tags [decision.tags.per-document]", async () => {
    const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `many ${index}`);
    expect((await post({ tags: names(50) })).body.data.tags).toHaveLength(50);
    expect((await refused({ tags: names(51) })).body.details?.[0]?.path).toBe("tags");
  });

  it("refuses a tag without a name, with a comma, or longer than 64 code points [decision.tags.name]", async () => {
    for (const tag of ["", "  ", "a,b", "🧪".repeat(65), "a\u0000b", null, 5]) {
      expect((await refused({ tags: [tag] })).status, JSON.stringify(tag)).toBe(400);
    }
    expect((await post({ tags: ["🧪".repeat(64)] })).status).toBe(201);
  });

  it("never sets a restricted tag: the name makes an unrestricted one beside it [tag.restricted-unset] [decision.tags.restricted-namespace]", async () => {
    const { data } = (await post({ tags: ["hidden"] })).body;
    expect(data.tags).toEqual(["hidden"]);
    const tags = await viewer.get<{ data: { id: string; name: string }[] }>("/api/v1/tags");
    const [visible, ...more] = tags.body.data.filter((tag) => tag.name === "hidden");
    expect(more).toEqual([]);
    expect(visible?.id).not.toBe(setting.world.tags.hidden);
  });

  it("takes emoji, sortOrder and fullWidth too [document.field.emoji] [document.field.sort-order] [document.field.full-width]", async () => {
    const { data } = (await post({ emoji: "👩‍🚀", sortOrder: -1.5, fullWidth: true })).body;
    expect(data).toMatchObject({ emoji: "👩‍🚀", sortOrder: -1.5, fullWidth: true });
    for (const emoji of ["", "a", "🚀🚀", "rocket", 5]) {
      expect((await refused({ emoji })).status, String(emoji)).toBe(400);
    }
    for (const sortOrder of ["1", null, true]) expect((await refused({ sortOrder })).status).toBe(400);
  });

  it("an unknown key is an error that names it [decision.api.unknown-body-key] [errors.validation]", async () => {
    const { status, body } = await refused({ titel: "x", colour: "y" });
    expect({ status, code: body.code }).toEqual({ status: 400, code: "validation_error" });
    expect(body.details?.map((detail) => detail.path).sort()).toEqual(["colour", "titel"]);
    for (const key of ["id", "text ", "published", "revision", "teamId", "__proto__x", "createdAt"]) {
      const { body: one } = await refused({ [key]: "x" });
      expect(
        one.details?.map((detail) => detail.path),
        key,
      ).toEqual([key]);
    }
  });

  it("refuses the wrong type of every field [errors.validation] [decision.api.code.validation]", async () => {
    const wrong: Record<string, unknown[]> = {
      title: [null, 5, true, [], {}],
      text: [null, 5, true, [], {}],
      publish: [null, "true", 1],
      tags: [null, "a", [1], {}],
      fullWidth: [null, "true", 1],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const { status, body } = await refused({ [field]: value });
        expect(status, `${field}: ${JSON.stringify(value)}`).toBe(400);
        expect(body.details?.[0]?.path.split(".")[0]).toBe(field);
      }
    }
  });
});
