import type { DocumentView } from "@kb/core";
import type { ApiClient, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Deleted = One<{ id: string; status: string; deletedAt: string }>;
type Restored = One<{ id: string; status: string }>;

// The states themselves are proved in packages/core/src/documents: here are statuses, bodies and query strings.

describe("trash and archive over HTTP", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const at = (id: string): string => `/api/v1/documents/${id}`;
  const make = async (input: object = {}): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, ...input };
    return (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };
  const collection = async (name: string): Promise<string> =>
    (await editor.post<One<{ id: string }>>("/api/v1/collections", { name })).body.data.id;

  it("DELETE returns 200 with the id, the status and the time", {
    meta: { proves: ["documents.delete", "documents.state.delete", "decision.documents.delete-answer"] },
  }, async () => {
    const { id } = await make();
    const { status, body } = await editor.delete<Deleted>(at(id));
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { id, status: "deleted", deletedAt: expect.any(String) } },
    });
  });

  it("a trashed document is 404 for every other method, with the same body as an unknown one", {
    meta: { proves: ["decision.documents.read-trash", "decision.documents.delete-answer"] },
  }, async () => {
    const trashed = at(setting.world.documents.trashed.id);
    for (const { status, body } of [
      await editor.get(trashed),
      await editor.get(`${trashed}?deleted=false`),
      await editor.patch(trashed, { title: "x" }),
      await editor.delete(trashed),
      await editor.delete(at(unknownId)),
      await editor.post(`${trashed}/archive`),
      await editor.post(`${trashed}/unarchive`),
      await editor.post(`${trashed}/edits`, { op: "append", markdown: "x" }),
      await editor.get(`${trashed}/revisions`),
      await editor.get(`${trashed}/revisions/1`),
      await editor.post(`${trashed}/revisions/1/restore`),
    ]) {
      expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
  });

  it("?deleted=true reads a trashed document, and lists the trash", {
    meta: { proves: ["decision.documents.read-trash", "documents.state.trash-list", "documents.list.deleted"] },
  }, async () => {
    const { trashed, guide } = setting.world.documents;
    expect((await editor.get<object>(`${at(trashed.id)}?deleted=true`)).status).toBe(200);
    const listed = async (value: string): Promise<string[]> =>
      (await editor.get<Page<DocumentView>>(`/api/v1/documents?limit=100&deleted=${value}`)).body.data.map(
        (row) => row.id,
      );
    expect(await listed("true")).toContain(trashed.id);
    expect(await listed("true")).not.toContain(guide.id);
    expect(await listed("false")).not.toContain(trashed.id);
  });

  it("restore returns 200 with the status, and a repeat 404 not_in_trash", {
    meta: {
      proves: [
        "documents.restore",
        "documents.state.restore",
        "documents.state.restore-repeat",
        "errors.restore-not-in-trash",
        "decision.documents.restore",
        "decision.api.code.not-found",
      ],
    },
  }, async () => {
    const { id } = await make();
    await editor.delete<object>(at(id));
    const { status, body } = await editor.post<Restored>(`${at(id)}/restore`);
    expect({ status, body }).toEqual({ status: 200, body: { data: { id, status: "restored" } } });
    expect(await editor.post(`${at(id)}/restore`)).toMatchObject({ status: 404, body: { code: "not_in_trash" } });
    expect(await editor.post(`${at(unknownId)}/restore`)).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("restore into an archived collection is 409, into a named one 200", {
    meta: { proves: ["decision.documents.restore-archived-collection"] },
  }, async () => {
    const collectionId = await collection("Filed");
    const { id } = await make({ collectionId });
    await editor.delete<object>(at(id));
    await editor.post<object>(`/api/v1/collections/${collectionId}/archive`);
    expect(await editor.post(`${at(id)}/restore`)).toMatchObject({ status: 409, body: { code: "conflict" } });
    const named = { collectionId: setting.world.collections.open };
    expect((await editor.post<object>(`${at(id)}/restore`, named)).status).toBe(200);
  });

  it("restore rejects an unknown field", async () => {
    const { trashed } = setting.world.documents;
    expect((await editor.post(`${at(trashed.id)}/restore`, { parentDocumentId: unknownId })).status).toBe(400);
  });

  it("archive and unarchive return 200 with the document, also when they are repeated", {
    meta: { proves: ["decision.documents.archive"] },
  }, async () => {
    const document = await make();
    const act = (verb: string) => editor.post<One<DocumentView>>(`${at(document.id)}/${verb}`);
    const archived = await act("archive");
    expect(archived).toMatchObject({
      status: 200,
      body: { data: { ...document, revision: 2, archivedAt: expect.any(String), updatedAt: expect.any(String) } },
    });
    expect(await act("archive")).toMatchObject({ status: 200, body: archived.body });
    const active = await act("unarchive");
    expect(active).toMatchObject({ status: 200, body: { data: { revision: 3, archivedAt: null } } });
    expect(await act("unarchive")).toMatchObject({ status: 200, body: active.body });
  });

  it("a document below an archived one, or in an archived collection, is 409 for the changes that the archive forbids", async () => {
    const parent = await make();
    await editor.post<object>(`${at(parent.id)}/archive`);
    const below = { collectionId: setting.world.collections.open, parentDocumentId: parent.id };
    const conflict = { status: 409, body: { code: "conflict" } };
    expect(await editor.post("/api/v1/documents", below)).toMatchObject(conflict);
    const { id } = await make();
    expect(await editor.patch(at(id), { parentDocumentId: parent.id })).toMatchObject(conflict);
    const collectionId = await collection("Closed");
    const inside = await make({ collectionId });
    await editor.post<object>(`/api/v1/collections/${collectionId}/archive`);
    expect(await editor.post(`${at(inside.id)}/unarchive`)).toMatchObject(conflict);
  });

  it("?status=archived lists and searches archived documents", {
    meta: { proves: ["decision.documents.archived-hidden"] },
  }, async () => {
    const { archived, guide } = setting.world.documents;
    const listed = async (query: string): Promise<string[]> =>
      (await editor.get<Page<DocumentView>>(`/api/v1/documents?limit=100&${query}`)).body.data.map((row) => row.id);
    expect(await listed("status=archived")).toContain(archived.id);
    expect(await listed("status=archived")).not.toContain(guide.id);
    expect(await listed("status=archived&status=published")).toEqual(expect.arrayContaining([archived.id, guide.id]));
    const search = async (query: string): Promise<number> =>
      (await editor.get<Page<object>>(`/api/v1/search?query=archived${query}`)).body.total;
    expect(await search("&status=archived")).toBeGreaterThan(await search(""));
  });

  it("a collection is archived and unarchived with 200, and listed with ?archived=true", {
    meta: { proves: ["decision.collections.archive", "collection.field.archived-at"] },
  }, async () => {
    const id = await collection("Project");
    const act = (verb: string) =>
      editor.post<One<{ id: string; archivedAt: string | null }>>(`/api/v1/collections/${id}/${verb}`);
    const listed = async (query = ""): Promise<string[]> =>
      (await editor.get<{ data: { id: string }[] }>(`/api/v1/collections${query}`)).body.data.map((row) => row.id);
    expect(await act("archive")).toMatchObject({ status: 200, body: { data: { id, archivedAt: expect.any(String) } } });
    expect(await listed()).not.toContain(id);
    expect(await listed("?archived=true")).toContain(id);
    expect(await act("unarchive")).toMatchObject({ status: 200, body: { data: { id, archivedAt: null } } });
  });
});
