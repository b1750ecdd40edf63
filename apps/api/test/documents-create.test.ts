import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One, Reply } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("POST /api/v1/documents", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const post = <Body = One<DocumentView>>(input: object): Promise<Reply<Body>> =>
    editor.post("/api/v1/documents", { collectionId: setting.world.collections.open, ...input });

  it("returns 201 with the document in all its fields, and its ETag", {
    meta: { proves: ["documents.create", "document.field.*", "decision.api.success-status", "decision.documents.url"] },
  }, async () => {
    const { world } = setting;
    const { editor: author } = world.people;
    const { status, headers, body } = await post({ title: "Whole", text: "# A\n\n**b**", tags: ["x"] });
    expect({ status, etag: headers.get("ETag") }).toEqual({ status: 201, etag: '"1"' });
    const { id, createdAt } = body.data;
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
        title: "Whole",
        emoji: null,
        text: "A\nb",
        collectionId: world.collections.open,
        parentDocumentId: null,
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
    // markdownText is only in answers to a request with `format=markdown`.
    const read = await editor.get<One<DocumentView>>(`/api/v1/documents/${id}?format=markdown`);
    expect(read.body.data.markdownText).toBe("# A\n\n**b**\n");
  });

  it("shows timestamps in ISO 8601, UTC, with milliseconds", {
    meta: { proves: ["service.timestamps", "service.ids", "decision.api.timestamps"] },
  }, async () => {
    const { data } = (await post({ publish: true })).body;
    for (const at of [data.createdAt, data.updatedAt, data.publishedAt]) {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(Math.abs(Date.parse(data.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  it("a wrong or missing field is 400 validation_error with its path", {
    meta: { proves: ["errors.validation", "decision.api.code.validation"] },
  }, async () => {
    for (const [input, path] of [
      [{ title: "🧪".repeat(256) }, "title"],
      [{ title: null }, "title"],
      [{ collectionId: undefined }, "collectionId"],
      [{ collectionId: "x" }, "collectionId"],
      [{ publish: "true" }, "publish"],
      [{ tags: ["a,b"] }, "tags.0"],
      [{ content: { type: "paragraph" } }, "content"],
    ] as const) {
      const { status, body } = await post<Failure>(input);
      expect({ status, code: body.code, path: body.details?.[0]?.path }, JSON.stringify(input)).toEqual({
        status: 400,
        code: "validation_error",
        path,
      });
    }
  });

  it("an unknown key is 400 and is named", {
    meta: { proves: ["decision.api.unknown-body-key", "errors.validation"] },
  }, async () => {
    const { status, body } = await post<Failure>({ titel: "x", colour: "y" });
    expect({ status, code: body.code }).toEqual({ status: 400, code: "validation_error" });
    expect(body.details?.map((detail) => detail.path).sort()).toEqual(["colour", "titel"]);
  });

  it("an unknown collection or parent is 404, an archived collection 409", {
    meta: { proves: ["errors.collection-not-found", "decision.api.uuid-unknown"] },
  }, async () => {
    const refusalOf = async (input: object): Promise<object> => {
      const { status, body } = await post<Failure>(input);
      return { status, body };
    };
    expect(await refusalOf({ collectionId: unknownId })).toEqual({
      status: 404,
      body: { error: "Collection not found", code: "not_found" },
    });
    for (const id of [unknownId, setting.world.documents.trashed.id, setting.world.documents.secret.id]) {
      expect(await refusalOf({ parentDocumentId: id })).toEqual({
        status: 404,
        body: { error: "Document not found", code: "not_found" },
      });
    }
    const { body } = await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Full" });
    await editor.post<object>(`/api/v1/collections/${body.data.id}/archive`);
    expect(await refusalOf({ collectionId: body.data.id })).toMatchObject({ status: 409, body: { code: "conflict" } });
  });
});
