import type { DocumentView } from "@kb/core";
import type { ApiClient, Failure, One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Preview = One<{ diff: string; revision: number }>;

describe("POST /api/v1/documents/{id}/edits", () => {
  let setting: Setting;
  let editor: ApiClient;
  let path: string;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
    const json = { collectionId: setting.world.collections.open, text: "# Top\n\nonce\n\n## First\n\ntwice, twice" };
    path = `/api/v1/documents/${(await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data.id}`;
  });
  afterAll(() => setting.close());

  it("a dry run returns 200 with the difference and the revision, without an ETag", {
    meta: { proves: ["decision.documents.edits-dry-run"] },
  }, async () => {
    const edit = { op: "replace_text", oldText: "once", newText: "once more", dryRun: true };
    const { status, headers, body } = await editor.post<Preview>(`${path}/edits`, edit);
    expect({ status, etag: headers.get("ETag"), body }).toEqual({
      status: 200,
      etag: null,
      body: { data: { revision: 1, diff: expect.stringContaining("+once more") } },
    });
    expect((await editor.get<object>(path)).headers.get("ETag")).toBe('"1"');
  });

  it("a missing heading or text is 404, and a text that occurs twice is 409, also in a dry run", {
    meta: { proves: ["decision.api.code.edits", "decision.documents.edits-dry-run"] },
  }, async () => {
    for (const dryRun of [false, true]) {
      const edit = (fields: object) => editor.post<Failure>(`${path}/edits`, { ...fields, dryRun });
      expect(await edit({ op: "insert_after_heading", heading: "Third", markdown: "x" })).toMatchObject({
        status: 404,
        body: { code: "heading_not_found", details: [{ path: "heading", headings: ["Top", "First"] }] },
      });
      expect(await edit({ op: "replace_text", oldText: "zzz", newText: "x" })).toMatchObject({
        status: 404,
        body: { code: "text_not_found", details: [{ path: "oldText", count: 0, passages: [] }] },
      });
      expect(await edit({ op: "replace_text", oldText: "twice", newText: "x" })).toMatchObject({
        status: 409,
        body: { code: "text_ambiguous", details: [{ count: 2 }] },
      });
      expect((await edit({ op: "append", markdown: "x", expectedRevision: 9 })).status).toBe(409);
    }
  });

  it("a body that is not an edit is 400 with the path of the problem", {
    meta: { proves: ["errors.validation", "decision.api.unknown-body-key", "body.inline-image"] },
  }, async () => {
    for (const json of [{}, { op: "delete_all" }, { op: "append" }, { op: "append", markdown: "x", format: "html" }]) {
      const { status, body } = await editor.post<Failure>(`${path}/edits`, json);
      expect({ status, code: body.code }).toEqual({ status: 400, code: "validation_error" });
      expect(body.details?.length).toBeGreaterThan(0);
    }
    const image = { op: "append", markdown: "![x](data:image/png;base64,AAAA)" };
    expect(await editor.post(`${path}/edits`, image)).toMatchObject({
      status: 400,
      body: { code: "inline_image_rejected" },
    });
  });

  it("is 403 for a reader and 404 for a caller who may not see the document", async () => {
    const { guide, secret } = setting.world.documents;
    const edit = async (id: string, by = editor): Promise<number> =>
      (await by.post(`/api/v1/documents/${id}/edits`, { op: "append", markdown: "x" })).status;
    expect(await edit(guide.id, setting.as(setting.world.people.viewer))).toBe(403);
    expect(await edit(secret.id)).toBe(404);
    expect(await edit(unknownId)).toBe(404);
  });

  it("replaces several texts by one request", {
    meta: { proves: ["decision.documents.replace-text-edits"] },
  }, async () => {
    const edits = [
      { oldText: "# Top", newText: "# Summit" },
      { oldText: "once", newText: "**once**" },
    ];
    const edit = { op: "replace_text", edits, dryRun: true };
    const { status, body } = await editor.post<Preview>(`${path}/edits`, edit);
    expect({ status, diff: body.data.diff.split("\n") }).toEqual({
      status: 200,
      diff: expect.arrayContaining(["-# Top", "-once", "+# Summit", "+**once**"]),
    });
  });

  it("returns 200 with the document and the ETag of its new revision", {
    meta: { proves: ["decision.documents.edits"] },
  }, async () => {
    const edit = { op: "append", markdown: "end" };
    const { status, headers, body } = await editor.post<One<DocumentView>>(`${path}/edits`, edit);
    expect({ status, etag: headers.get("ETag") }).toEqual({ status: 200, etag: '"2"' });
    expect(body.data).toMatchObject({ revision: 2, text: expect.stringMatching(/end$/) });
  });
});
