import { callerOf, outcomeOf, unknownId } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);
const viewer = callerOf(world, world.people.viewer);

const requireInvalid = (input: object, path: string): Promise<void> =>
  expect(editor.create(input), JSON.stringify(input)).rejects.toMatchObject({
    code: "validation_error",
    details: [{ path }],
  });

describe("creating a document", () => {
  it("returns the document in all its fields", {
    meta: { proves: ["documents.create", "document.field.*", "decision.documents.url"] },
  }, async () => {
    const parentDocumentId = world.documents.guide.id;
    const input = { title: "Whole", text: "# A\n\n**b**", tags: ["x"], parentDocumentId };
    const document = await editor.create(input);
    const { id, createdAt } = document;
    expect(document).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      title: "Whole",
      emoji: null,
      text: "A\nb",
      collectionId: world.collections.open,
      parentDocumentId,
      teamId: world.teamId,
      createdById: world.people.editor.id,
      lastModifiedById: world.people.editor.id,
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
    });
    expect(await editor.get(id, { format: "markdown" })).toEqual({ ...document, markdownText: "# A\n\n**b**\n" });
  });

  it("publishes it at once with `publish`", {
    meta: {
      proves: [
        "documents.create.publish",
        "documents.state.create-published",
        "documents.state.timestamps",
        "document.field.published-at",
      ],
    },
  }, async () => {
    const document = await editor.create({ publish: true });
    expect(document.publishedAt).toBe(document.createdAt);
    expect(document.revision).toBe(1);
    expect(await outcomeOf(viewer.get(document.id))).toBe("done");
  });

  it.each([{}, { publish: false }])(
    "creates a draft with %j",
    { meta: { proves: ["documents.state.create-draft", "documents.state.timestamps"] } },
    async (input) => {
      const document = await editor.create(input);
      expect(document.publishedAt).toBeNull();
      expect(await outcomeOf(viewer.get(document.id))).toBe("not_found");
    },
  );

  it("takes an emoji, a sort order and the full width", {
    meta: { proves: ["document.field.emoji", "document.field.sort-order", "document.field.full-width"] },
  }, async () => {
    const fields = { emoji: "👩‍🚀", sortOrder: -1.5, fullWidth: true };
    expect(await editor.create(fields)).toMatchObject(fields);
    for (const emoji of ["", "a", "🚀🚀", "rocket", 5]) await requireInvalid({ emoji }, "emoji");
    for (const sortOrder of ["1", null, true]) await requireInvalid({ sortOrder }, "sortOrder");
  });

  it("refuses unknown keys by name", { meta: { proves: ["errors.validation"] } }, async () => {
    const two = await editor.create({ titel: "x", colour: "y" }).catch((error: unknown) => Object(error));
    expect(two.code).toBe("validation_error");
    expect(two.details.map((detail: { path: string }) => detail.path).sort()).toEqual(["colour", "titel"]);
    for (const key of ["id", "text ", "published", "revision", "teamId", "__proto__x", "createdAt"]) {
      await requireInvalid({ [key]: "x" }, key);
    }
  });

  it("refuses the wrong type of every field", { meta: { proves: ["errors.validation"] } }, async () => {
    const wrong: Record<string, unknown[]> = {
      title: [null, 5, true, [], {}],
      text: [null, 5, true, [], {}],
      publish: [null, "true", 1],
      tags: [null, "a", [1], {}],
      fullWidth: [null, "true", 1],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        await expect(editor.create({ [field]: value }), JSON.stringify(value)).rejects.toMatchObject({
          code: "validation_error",
          details: [{ path: expect.stringMatching(new RegExp(`^${field}(\\.|$)`)) }],
        });
      }
    }
  });
});

describe("the title of a new document", () => {
  it.each([
    ["absent", {}],
    ["empty", { title: "" }],
    ["white space", { title: " \t " }],
  ])("is Untitled if it is %s", { meta: { proves: ["documents.create.title-default"] } }, async (_, input) => {
    expect((await editor.create(input)).title).toBe("Untitled");
  });

  it("is trimmed, also by an update, and found with the spaces that were sent", async () => {
    const made = await editor.create({ title: " \tTrimmed\u00a0title \n" });
    expect(made.title).toBe("Trimmed\u00a0title");
    const { data } = await editor.list({ title: " \tTrimmed\u00a0title \n" });
    expect(data.map(({ id }) => id)).toEqual([made.id]);
    for (const title of ["\u2003Other ", "Other", " Other"]) {
      expect(await editor.update(made.id, { title })).toMatchObject({ title: "Other", revision: 2 });
    }
  });

  it("has at most 255 characters, counted in code points", {
    meta: { proves: ["documents.create.title-length", "limits.document-title", "document.field.title"] },
  }, async () => {
    for (const character of ["a", "é", "界", "🧪"]) {
      const title = character.repeat(255);
      expect((await editor.create({ title })).title).toBe(title);
      await expect(editor.create({ title: title + character }), character).rejects.toMatchObject({
        code: "validation_error",
        details: [{ path: "title", message: expect.stringContaining("255") }],
      });
    }
  });
});

describe("the place of a new document", () => {
  it("is a collection, which is required", { meta: { proves: ["documents.create.collection-id"] } }, async () => {
    for (const collectionId of [undefined, null, "", "x", 7, [world.collections.open]]) {
      await requireInvalid({ title: "Nowhere", collectionId }, "collectionId");
    }
  });

  it("is a collection that exists and is active", {
    meta: { proves: ["errors.collection-not-found", "decision.api.uuid-unknown"] },
  }, async () => {
    await expect(editor.create({ collectionId: unknownId })).rejects.toMatchObject({
      code: "not_found",
      message: "Collection not found",
    });
    const { id } = await editor.createCollection({ name: "Full" });
    await editor.archiveCollection(id);
    await expect(editor.create({ collectionId: id })).rejects.toMatchObject({ code: "conflict" });
  });

  it("takes ids in either case and shows them in lower case", { meta: { proves: ["service.ids"] } }, async () => {
    const { open } = world.collections;
    expect((await editor.create({ collectionId: open.toUpperCase() })).collectionId).toBe(open);
  });

  it("may be below a visible document of the same collection", {
    meta: { proves: ["documents.create.parent-document-id"] },
  }, async () => {
    const { guide, trashed, secret } = world.documents;
    expect((await editor.create({ parentDocumentId: guide.id })).parentDocumentId).toBe(guide.id);
    expect((await editor.create({ parentDocumentId: null })).parentDocumentId).toBeNull();
    for (const parentDocumentId of [unknownId, trashed.id, secret.id]) {
      await expect(editor.create({ parentDocumentId })).rejects.toMatchObject({
        code: "not_found",
        message: "Document not found",
      });
    }
    await requireInvalid({ parentDocumentId: "x" }, "parentDocumentId");
    const elsewhere = { collectionId: world.collections.readable, parentDocumentId: guide.id };
    await requireInvalid(elsewhere, "parentDocumentId");
  });
});

describe("the body of a new document", () => {
  const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });

  it("is read from Markdown and kept as editor JSON", {
    meta: { proves: ["documents.create.text", "decision.documents.include-content"] },
  }, async () => {
    const { id } = await editor.create({ text: "# A {#a}\n\n*b*\n" });
    const document = await editor.get(id, { include: "content" });
    expect(document.content).toMatchObject({
      type: "doc",
      content: [
        { type: "heading", attrs: { level: 1, id: "a" }, content: [{ type: "text", text: "A" }] },
        { type: "paragraph", content: [{ type: "text", text: "b" }] },
      ],
    });
    expect(document.markdownText).toBeUndefined();
  });

  it("is read from editor JSON, which takes precedence over Markdown", {
    meta: { proves: ["documents.create.content", "body.text-or-content"] },
  }, async () => {
    const content = { type: "doc", content: [paragraph("from JSON")] };
    expect((await editor.create({ content })).text).toBe("from JSON");
    expect((await editor.create({ content, text: "from Markdown" })).text).toBe("from JSON");
  });

  it("is refused with its place if the editor JSON is no document", {
    meta: { proves: ["documents.create.content", "errors.validation"] },
  }, async () => {
    for (const content of [
      {},
      { type: "doc", content: [{ type: "mystery" }] },
      { type: "doc", content: [{ type: "heading", attrs: { level: 99 } }] },
      { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: 5 }] }] },
      { type: "paragraph" },
      null,
      "text",
      5,
      [],
    ]) {
      const error = await editor.create({ content }).catch((thrown: unknown) => Object(thrown));
      expect(error, JSON.stringify(content)).toMatchObject({ code: "validation_error" });
      expect(error.details[0].path).toMatch(/^content/);
    }
  });
});

describe("the tags of a new document", () => {
  it("are created or reused by their normal form", {
    meta: { proves: ["documents.create.tags", "tag.normalized", "document.field.tags"] },
  }, async () => {
    const { tags } = await editor.create({ tags: ["  Two   Words ", "GUIDE", "ｆｕｌｌ", "guide", "Ärger"] });
    expect(new Set(tags)).toEqual(new Set(["two words", "guide", "full", "ärger"]));
    const guides = (await editor.listTags()).filter((tag) => tag.name === "guide");
    expect(guides.map((tag) => tag.id)).toEqual([world.tags.guide]);
  });

  it("are at most 50", { meta: { proves: ["decision.tags.per-document"] } }, async () => {
    const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `many ${index}`);
    expect((await editor.create({ tags: names(50) })).tags).toHaveLength(50);
    await requireInvalid({ tags: names(51) }, "tags");
  });

  it("have a name of 1 to 64 code points without a comma", {
    meta: { proves: ["decision.tags.name"] },
  }, async () => {
    for (const tag of ["", "  ", "a,b", "🧪".repeat(65), "a\u0000b", null, 5]) {
      const create = editor.create({ tags: [tag] });
      await expect(create, JSON.stringify(tag)).rejects.toMatchObject({ code: "validation_error" });
    }
    expect((await editor.create({ tags: ["🧪".repeat(64)] })).tags).toEqual(["🧪".repeat(64)]);
  });

  it("are never restricted: the name makes an unrestricted tag beside the restricted one", {
    meta: { proves: ["tag.restricted-unset", "decision.tags.restricted-namespace"] },
  }, async () => {
    expect((await editor.create({ tags: ["hidden"], publish: true })).tags).toEqual(["hidden"]);
    const visible = (await viewer.listTags()).filter((tag) => tag.name === "hidden");
    expect(visible).toHaveLength(1);
    expect(visible[0]?.id).not.toBe(world.tags.hidden);
  });
});
