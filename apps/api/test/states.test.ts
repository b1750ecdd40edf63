import type { DocumentView } from "@kb/core";
import type { ApiClient, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Deleted = One<{ id: string; status: string; deletedAt: string }>;
type Restored = One<{ id: string; status: string }>;

describe("trash and archive", () => {
  let setting: Setting;
  let editor: ApiClient;
  let viewer: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
    viewer = setting.as(setting.world.people.viewer);
  });
  afterAll(() => setting.close());

  const at = (id: string): string => `/api/v1/documents/${id}`;
  const make = async (input: object = {}, by = editor): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, publish: true, ...input };
    return (await by.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };
  const read = async (id: string, query = ""): Promise<DocumentView> =>
    (await editor.get<One<DocumentView>>(`${at(id)}${query}`)).body.data;
  const ids = async (query: string, by = editor): Promise<string[]> =>
    (await by.get<Page<DocumentView>>(`/api/v1/documents?limit=100&${query}`)).body.data.map((row) => row.id);
  /** A document with a child and a grandchild. */
  const family = async (): Promise<[DocumentView, DocumentView, DocumentView]> => {
    const root = await make({ title: "Root" });
    const child = await make({ title: "Child", parentDocumentId: root.id });
    return [root, child, await make({ title: "Grandchild", parentDocumentId: child.id })];
  };

  it("DELETE moves the document to the trash [documents.delete] [documents.state.delete] [decision.documents.delete-answer] [document.field.deleted-at] [documents.state.timestamps]", async () => {
    const document = await make();
    const { status, body } = await editor.delete<Deleted>(at(document.id));
    expect(status).toBe(200);
    const trashed = await read(document.id, "?deleted=true");
    expect(body).toEqual({ data: { id: document.id, status: "deleted", deletedAt: trashed.deletedAt } });
    expect(trashed).toMatchObject({ revision: 2, updatedAt: body.data.deletedAt, publishedAt: document.publishedAt });
    expect(await ids("")).not.toContain(document.id);
  });

  it("deleting a trashed or an unknown document is 404 [decision.documents.delete-answer]", async () => {
    const { trashed } = setting.world.documents;
    for (const id of [trashed.id, unknownId]) {
      const { status, body } = await editor.delete(at(id));
      expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
  });

  it("a trashed document is 404 for every other verb [decision.documents.read-trash]", async () => {
    const { trashed } = setting.world.documents;
    for (const reply of [
      await editor.get(at(trashed.id)),
      await editor.get(`${at(trashed.id)}?deleted=false`),
      await editor.patch(at(trashed.id), { title: "x" }),
      await editor.post(`${at(trashed.id)}/archive`),
      await editor.post(`${at(trashed.id)}/unarchive`),
      await editor.post(`${at(trashed.id)}/edits`, { op: "append", markdown: "x" }),
      await editor.get(`${at(trashed.id)}/revisions`),
      await editor.get(`${at(trashed.id)}/revisions/1`),
      await editor.post(`${at(trashed.id)}/revisions/1/restore`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
  });

  it("?deleted=true answers for those who could restore it, and finds active ones too [decision.documents.read-trash]", async () => {
    const document = await make({}, setting.as(setting.world.people.member));
    expect((await editor.get<object>(`${at(document.id)}?deleted=true`)).status).toBe(200);
    await editor.delete<object>(at(document.id));
    const byWhom = async (who: ApiClient): Promise<number> =>
      (await who.get<object>(`${at(document.id)}?deleted=true`)).status;
    expect(await byWhom(editor)).toBe(200);
    expect(await byWhom(setting.as(setting.world.people.member))).toBe(200);
    expect(await byWhom(viewer)).toBe(404);
    const ofAnother = await make();
    await editor.delete<object>(at(ofAnother.id));
    expect((await setting.as(setting.world.people.member).get(`${at(ofAnother.id)}?deleted=true`)).status).toBe(404);
  });

  it("the trash is listed with deleted=true, for those who could restore [documents.state.trash-list] [documents.list.deleted]", async () => {
    const { trashed, guide } = setting.world.documents;
    const listed = await ids("deleted=true");
    expect(listed).toContain(trashed.id);
    expect(listed).not.toContain(guide.id);
    expect(await ids("deleted=true", viewer)).toEqual([]);
    expect(await ids("deleted=false")).not.toContain(trashed.id);
  });

  it("restore brings it back to its collection and answers restored [documents.restore] [documents.state.restore] [decision.documents.restore]", async () => {
    const parent = await make();
    const document = await make({ parentDocumentId: parent.id, tags: ["kept"] });
    await editor.delete<object>(at(document.id));
    const { status, body } = await editor.post<Restored>(`${at(document.id)}/restore`);
    expect({ status, body }).toEqual({ status: 200, body: { data: { id: document.id, status: "restored" } } });
    const { updatedAt, ...rest } = await read(document.id);
    expect(rest).toEqual({ ...document, revision: 3, updatedAt: undefined });
    expect(updatedAt > document.updatedAt).toBe(true);
  });

  it("published stays published, a draft stays a draft [decision.documents.restore]", async () => {
    for (const publish of [true, false]) {
      const document = await make({ publish });
      await editor.delete<object>(at(document.id));
      await editor.post<object>(`${at(document.id)}/restore`);
      expect((await read(document.id)).publishedAt).toBe(document.publishedAt);
    }
  });

  it("restoring what is not in the trash is 404 not_in_trash and changes nothing, so a repeat is safe [documents.state.restore-repeat] [errors.restore-not-in-trash] [decision.documents.restore] [decision.api.code.not-found]", async () => {
    const document = await make();
    await editor.delete<object>(at(document.id));
    await editor.post<object>(`${at(document.id)}/restore`);
    const before = await read(document.id);
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const reply = await editor.post(`${at(document.id)}/restore`);
      expect(reply).toMatchObject({ status: 404, body: { code: "not_in_trash" } });
    }
    expect(await read(document.id)).toEqual(before);
    expect(await editor.post(`${at(unknownId)}/restore`)).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("of two restores at once one restores, the other is told so [documents.state.restore-repeat]", async () => {
    const document = await make();
    await editor.delete<object>(at(document.id));
    const replies = await Promise.all([1, 2].map(() => editor.post<object>(`${at(document.id)}/restore`)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 404]);
    expect((await read(document.id)).revision).toBe(3);
  });

  it("restore takes no unknown field", async () => {
    const { trashed } = setting.world.documents;
    expect((await editor.post(`${at(trashed.id)}/restore`, { parentDocumentId: unknownId })).status).toBe(400);
  });

  it("a delete trashes the whole subtree as one batch; its root brings the batch back [decision.documents.delete-subtree]", async () => {
    const [root, child, grandchild] = await family();
    await editor.delete<object>(at(root.id));
    for (const one of [root, child, grandchild]) {
      expect((await editor.get(at(one.id))).status).toBe(404);
      expect((await read(one.id, "?deleted=true")).revision).toBe(2);
    }
    await editor.post<object>(`${at(root.id)}/restore`);
    expect((await read(child.id)).parentDocumentId).toBe(root.id);
    expect((await read(grandchild.id)).parentDocumentId).toBe(child.id);
  });

  it("what was in the trash before the batch stays there [decision.documents.delete-subtree]", async () => {
    const [root, child, grandchild] = await family();
    await editor.delete<object>(at(grandchild.id));
    await editor.delete<object>(at(root.id));
    await editor.post<object>(`${at(root.id)}/restore`);
    expect((await editor.get<object>(at(child.id))).status).toBe(200);
    expect((await editor.get(at(grandchild.id))).status).toBe(404);
  });

  it("a child can be restored alone; its trashed parent is let go [decision.documents.delete-subtree] [decision.documents.restore]", async () => {
    const [root, child, grandchild] = await family();
    await editor.delete<object>(at(root.id));
    await editor.post<object>(`${at(child.id)}/restore`);
    expect((await read(child.id)).parentDocumentId).toBeNull();
    expect((await editor.get(at(root.id))).status).toBe(404);
    expect((await editor.get(at(grandchild.id))).status).toBe(404);
    await editor.post<object>(`${at(root.id)}/restore`);
    expect((await read(child.id)).parentDocumentId).toBeNull();
    expect((await read(grandchild.id)).parentDocumentId).toBe(child.id);
  });

  it("a document of a parent that was trashed meanwhile comes back at the top [decision.documents.restore]", async () => {
    const [root, child] = await family();
    await editor.delete<object>(at(child.id));
    await editor.delete<object>(at(root.id));
    await editor.post<object>(`${at(child.id)}/restore`);
    expect((await read(child.id)).parentDocumentId).toBeNull();
  });

  it("a delete takes only what its caller may delete; the rest moves up to its place", async () => {
    const member = setting.as(setting.world.people.member);
    const top = await make();
    const mine = await make({ parentDocumentId: top.id }, member);
    const theirs = await make({ parentDocumentId: mine.id });
    expect((await member.delete<object>(at(mine.id))).status).toBe(200);
    expect(await read(theirs.id)).toMatchObject({ parentDocumentId: top.id, deletedAt: null });
  });

  it("restore into an archived collection is 409, into a named one 200 [decision.documents.restore-archived-collection]", async () => {
    const { body } = await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Filed" });
    const document = await make({ collectionId: body.data.id });
    await editor.delete<object>(at(document.id));
    await editor.post<object>(`/api/v1/collections/${body.data.id}/archive`);
    const refused = await editor.post(`${at(document.id)}/restore`);
    expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
    const { open } = setting.world.collections;
    expect((await editor.post<object>(`${at(document.id)}/restore`, { collectionId: open })).status).toBe(200);
    expect((await read(document.id)).collectionId).toBe(open);
  });

  it("archive files a document with what is below it, unarchive brings them back [decision.documents.archive] [document.field.archived-at] [documents.state.timestamps]", async () => {
    const [root, child, grandchild] = await family();
    const { status, body } = await editor.post<One<DocumentView>>(`${at(root.id)}/archive`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      ...root,
      revision: 2,
      archivedAt: body.data.updatedAt,
      updatedAt: expect.any(String),
    });
    for (const one of [child, grandchild]) {
      expect(await read(one.id)).toMatchObject({ revision: 2, archivedAt: expect.any(String) });
    }
    const back = await editor.post<One<DocumentView>>(`${at(root.id)}/unarchive`);
    expect(back.body.data).toMatchObject({ revision: 3, archivedAt: null });
    expect((await read(grandchild.id)).archivedAt).toBeNull();
  });

  it("a repeat of archive or unarchive is a no-op [decision.documents.archive]", async () => {
    const document = await make();
    const first = (await editor.post<One<DocumentView>>(`${at(document.id)}/archive`)).body.data;
    expect((await editor.post<One<DocumentView>>(`${at(document.id)}/archive`)).body.data).toEqual(first);
    const back = (await editor.post<One<DocumentView>>(`${at(document.id)}/unarchive`)).body.data;
    expect((await editor.post<One<DocumentView>>(`${at(document.id)}/unarchive`)).body.data).toEqual(back);
  });

  it("what was archived before the batch stays archived [decision.documents.archive]", async () => {
    const [root, child] = await family();
    await editor.post<object>(`${at(child.id)}/archive`);
    await editor.post<object>(`${at(root.id)}/archive`);
    await editor.post<object>(`${at(root.id)}/unarchive`);
    expect((await read(root.id)).archivedAt).toBeNull();
    expect((await read(child.id)).archivedAt).not.toBeNull();
  });

  it("nothing is put below an archived document: 409, and what stands there already can be changed", async () => {
    const [root, child] = await family();
    const other = await make({ title: "Elsewhere" });
    await editor.post<object>(`${at(root.id)}/archive`);
    const json = { collectionId: setting.world.collections.open, parentDocumentId: root.id };
    const created = await editor.post("/api/v1/documents", json);
    expect(created).toMatchObject({ status: 409, body: { code: "conflict" } });
    const moved = await editor.patch(at(other.id), { parentDocumentId: root.id });
    expect(moved).toMatchObject({ status: 409, body: { code: "conflict" } });
    const changed = await editor.patch<One<DocumentView>>(at(child.id), { parentDocumentId: root.id, title: "New" });
    expect(changed).toMatchObject({ status: 200, body: { data: { title: "New", parentDocumentId: root.id } } });
  });

  it("archived is excluded from lists and search unless asked for [decision.documents.archived-hidden]", async () => {
    const { archived, guide } = setting.world.documents;
    const found = async (query: string): Promise<string[]> =>
      (await editor.get<Page<{ document: DocumentView }>>(`/api/v1/search?${query}`)).body.data.map(
        (hit) => hit.document.id,
      );
    expect(await ids("")).not.toContain(archived.id);
    expect(await ids("status=archived")).toContain(archived.id);
    expect(await ids("status=archived")).not.toContain(guide.id);
    expect(await ids("status=archived&status=published")).toEqual(expect.arrayContaining([archived.id, guide.id]));
    expect(await found("query=archived")).not.toContain(archived.id);
    expect(await found("query=archived&status=archived")).toContain(archived.id);
    expect((await editor.get<object>(at(archived.id))).status).toBe(200);
  });

  it("a collection is archived with its documents, and brought back with them [decision.collections.archive] [collection.field.archived-at]", async () => {
    const collection = (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Project" })).body.data;
    const inside = await make({ collectionId: collection.id });
    const before = await make({ collectionId: collection.id });
    await editor.post<object>(`${at(before.id)}/archive`);
    const path = `/api/v1/collections/${collection.id}`;
    type Collections = { data: { id: string; archivedAt: string | null }[] };
    const listed = async (query = ""): Promise<string[]> =>
      (await editor.get<Collections>(`/api/v1/collections${query}`)).body.data.map((row) => row.id);

    const archived = await editor.post<One<{ archivedAt: string | null }>>(`${path}/archive`);
    expect(archived).toMatchObject({
      status: 200,
      body: { data: { id: collection.id, archivedAt: expect.any(String) } },
    });
    expect((await editor.post<object>(`${path}/archive`)).body).toEqual(archived.body);
    expect(await listed()).not.toContain(collection.id);
    expect(await listed("?archived=true")).toContain(collection.id);
    expect(await listed("?archived=true")).not.toContain(setting.world.collections.open);
    expect((await read(inside.id)).archivedAt).not.toBeNull();
    expect((await editor.get<object>(path)).status).toBe(200);

    const back = await editor.post<One<{ archivedAt: string | null }>>(`${path}/unarchive`);
    expect(back).toMatchObject({ status: 200, body: { data: { archivedAt: null } } });
    expect((await editor.post<object>(`${path}/unarchive`)).body).toEqual(back.body);
    expect((await read(inside.id)).archivedAt).toBeNull();
    expect((await read(before.id)).archivedAt).not.toBeNull();
  });

  it("a document cannot leave the archive before its collection does", async () => {
    const collection = (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Closed" })).body.data;
    const inside = await make({ collectionId: collection.id });
    await editor.post<object>(`/api/v1/collections/${collection.id}/archive`);
    expect(await editor.post(`${at(inside.id)}/unarchive`)).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it("a document keeps its archived state through trash and restore", async () => {
    const document = await make();
    await editor.post<object>(`${at(document.id)}/archive`);
    await editor.delete<object>(at(document.id));
    await editor.post<object>(`${at(document.id)}/restore`);
    expect((await read(document.id)).archivedAt).not.toBeNull();
  });
});
