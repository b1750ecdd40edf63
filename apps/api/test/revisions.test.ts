import type { DocumentView } from "@kb/core";
import type { ApiClient, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("the history of a document over HTTP", () => {
  let setting: Setting;
  let editor: ApiClient;
  let path: string;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
    const json = { collectionId: setting.world.collections.open, title: "T", text: "one", publish: true };
    const { id } = (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
    path = `/api/v1/documents/${id}`;
    await setting.as(setting.world.people.admin).patch<object>(path, { text: "two" });
  });
  afterAll(() => setting.close());

  it("is a page of revisions, with limit and offset in the query string", {
    meta: { proves: ["decision.documents.revisions"] },
  }, async () => {
    const { status, body } = await editor.get<Page<{ revision: number }>>(`${path}/revisions?limit=1&offset=1`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { total: 2, limit: 1, offset: 1, data: [{ revision: 1 }] },
    });
    expect((await editor.get(`${path}/revisions?limit=101`)).status).toBe(400);
    const one = await editor.get<One<{ markdownText: string }>>(`${path}/revisions/1`);
    expect(one).toMatchObject({ status: 200, body: { data: { markdownText: "one\n" } } });
  });

  it("a revision that is not stored is 404, and a viewer's restore 403", async () => {
    const missing = { status: 404, body: { error: "Revision not found" } };
    expect(await editor.get(`${path}/revisions/9`)).toMatchObject(missing);
    expect(await editor.post(`${path}/revisions/9/restore`)).toMatchObject(missing);
    const viewer = setting.as(setting.world.people.viewer);
    expect((await viewer.get<object>(`${path}/revisions`)).status).toBe(200);
    expect((await viewer.post(`${path}/revisions/1/restore`)).status).toBe(403);
  });

  it("a restore returns 200 with the document and the ETag of its new revision", {
    meta: { proves: ["decision.documents.revision-restore"] },
  }, async () => {
    const { status, headers, body } = await editor.post<One<DocumentView>>(`${path}/revisions/1/restore`);
    expect({ status, etag: headers.get("ETag") }).toEqual({ status: 200, etag: '"3"' });
    expect(body.data).toMatchObject({ revision: 3, text: "one" });
  });

  it("an undo returns 200 with the document, how much was undone, and the ETag of its new revision", {
    meta: { proves: ["decision.documents.revision-undo", "decision.documents.revision-undo-left"] },
  }, async () => {
    const undo = `${path}/revisions/2/undo`;
    const stale = await editor.post(undo, undefined, { "If-Match": '"1"' });
    expect(stale).toMatchObject({ status: 412, body: { code: "revision_conflict" } });
    expect((await editor.post(undo, { expectedRevision: 1 })).status).toBe(409);
    const viewer = setting.as(setting.world.people.viewer);
    expect((await viewer.post(undo)).status).toBe(403);
    // Revision 3 has restored what revision 2 replaced.
    const gone = await editor.post(undo);
    expect(gone).toMatchObject({ status: 409, body: { code: "conflict" } });
    const { status, headers, body } = await editor.post<One<DocumentView>>(`${path}/revisions/3/undo`);
    expect({ status, etag: headers.get("ETag") }).toEqual({ status: 200, etag: '"4"' });
    expect(body.data).toMatchObject({ revision: 4, text: "two", undoneParts: 1, leftParts: 0 });
    const [latest] = (await editor.get<Page<object>>(`${path}/revisions`)).body.data;
    expect(latest).toMatchObject({ revision: 4, undoes: 3, author: { id: setting.world.people.editor.id } });
  });
});
