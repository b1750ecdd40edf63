import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One, Reply } from "@kb/http/testing";
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
    const json = { collectionId: setting.world.collections.open, title: "Before", text: "The body.", tags: ["old"] };
    document = (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  });
  afterAll(() => setting.close());

  const patch = <Body = One<DocumentView>>(input: object, id = document.id): Promise<Reply<Body>> =>
    editor.patch(`/api/v1/documents/${id}`, input);

  it("returns 200 with the changed document, and its ETag", {
    meta: { proves: ["documents.update", "documents.update.all-optional"] },
  }, async () => {
    const { status, headers, body } = await patch({ title: "After" });
    expect({ status, etag: headers.get("ETag") }).toEqual({ status: 200, etag: '"2"' });
    expect(body).toEqual({ data: { ...document, title: "After", revision: 2, updatedAt: expect.any(String) } });
    const unchanged = await patch({});
    expect({ status: unchanged.status, etag: unchanged.headers.get("ETag"), body: unchanged.body }).toEqual({
      status: 200,
      etag: '"2"',
      body,
    });
  });

  it("an unknown key and a wrong type are 400", {
    meta: { proves: ["decision.api.unknown-body-key", "errors.validation"] },
  }, async () => {
    expect((await patch<Failure>({ publish: true })).body.details).toEqual([
      { path: "publish", message: "Unknown field" },
    ]);
    for (const input of [{ title: null }, { tags: "a" }, { collectionId: "x" }, { expectedRevision: "1" }]) {
      const { status, body } = await patch<Failure>(input);
      expect({ status, code: body.code }, JSON.stringify(input)).toEqual({ status: 400, code: "validation_error" });
      expect(body.details?.[0]?.path).toBe(Object.keys(input)[0]);
    }
  });

  it("an unknown document is 404", {
    meta: { proves: ["errors.document-not-found", "decision.api.code.not-found"] },
  }, async () => {
    const { status, body } = await patch<Failure>({ title: "x" }, unknownId);
    expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
  });

  it("an inline base64 image is 400 inline_image_rejected", {
    meta: { proves: ["body.inline-image", "decision.api.code.validation"] },
  }, async () => {
    const image = { type: "image", attrs: { src: "data:image/png;base64,iVBORw0KGgo=" } };
    for (const input of [
      { text: "# A\n\n![x](data:image/png;base64,iVBORw0KGgo=)" },
      { content: { type: "doc", content: [{ type: "paragraph", content: [image] }] } },
    ]) {
      expect(await patch<Failure>(input)).toMatchObject({ status: 400, body: { code: "inline_image_rejected" } });
    }
  });
});
