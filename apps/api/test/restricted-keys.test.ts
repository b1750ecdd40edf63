import type { DocumentView } from "@kb/core";
import type { ApiClient, Many, One, Page, Restrictions } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("restricted keys", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const key = async (restrictions: Restrictions, who: "admin" | "editor" | "member" = "editor"): Promise<ApiClient> =>
    setting.as(await setting.world.key(setting.world.people[who], ["read", "write"], { restrictions }));
  const make = async (input: object = {}): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, publish: true, ...input };
    return (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };
  const listed = async (by: ApiClient, query = ""): Promise<string[]> =>
    (await by.get<Page<DocumentView>>(`/api/v1/documents?limit=100${query}`)).body.data.map((row) => row.id);
  /** What the key may do with a document: nothing, read, or write. */
  const level = async (by: ApiClient, id: string): Promise<"none" | "read" | "write"> => {
    const path = `/api/v1/documents/${id}`;
    const reads = (await by.get<object>(path)).status === 200;
    const edit = await by.post<object>(`${path}/edits`, { op: "append", markdown: "x", dryRun: true });
    expect(edit.status).toBe(edit.status === 200 ? 200 : reads ? 403 : 404);
    const all = (await by.get<Page<DocumentView>>("/api/v1/documents?limit=100")).body;
    expect(all.data.some((row) => row.id === id)).toBe(reads);
    expect(all.total).toBe(all.data.length);
    return edit.status === 200 ? "write" : reads ? "read" : "none";
  };

  it("what is not listed is none: such a key sees nothing at all [decision.access.restricted] [decision.access.restricted-views]", async () => {
    const by = await key({});
    expect(await listed(by)).toEqual([]);
    expect((await by.get<Page<object>>("/api/v1/documents")).body.total).toBe(0);
    expect((await by.get<Many<object>>("/api/v1/collections")).body.data).toEqual([]);
    expect((await by.get<Many<object>>("/api/v1/tags")).body.data).toEqual([]);
    expect((await by.get<Page<object>>("/api/v1/search?query=guide")).body.total).toBe(0);
    expect((await by.get<Many<object>>("/api/v1/documents?updatedSince=1970-01-01T00:00:00Z")).body.data).toEqual([]);
    expect((await by.get<object>("/api/v1/me")).status).toBe(200);
  });

  it.each(["none", "read", "write"] as const)(
    "a collection at %s gives just that [auth.restricted.collections]",
    async (access) => {
      const { open, readable } = setting.world.collections;
      const document = await make();
      const by = await key({ collections: { [open]: access } });
      expect(await level(by, document.id)).toBe(access);
      expect((await by.get<object>(`/api/v1/collections/${open}`)).status).toBe(access === "none" ? 404 : 200);
      expect((await by.get(`/api/v1/collections/${readable}`)).status).toBe(404);
      const created = await by.post<object>("/api/v1/documents", { collectionId: open });
      expect(created.status).toBe({ none: 404, read: 403, write: 201 }[access]);
    },
  );

  it.each([
    ["none", "read"],
    ["none", "write"],
    ["read", "none"],
    ["read", "write"],
    ["write", "none"],
    ["write", "read"],
  ] as const)(
    "in a collection at %s a document's own entry %s wins [auth.restricted.documents] [decision.access.restricted]",
    async (collection, document) => {
      const { open } = setting.world.collections;
      const [special, plain] = [await make(), await make()];
      const by = await key({ collections: { [open]: collection }, documents: { [special.id]: document } });
      expect(await level(by, special.id)).toBe(document);
      expect(await level(by, plain.id)).toBe(collection);
    },
  );

  it("a document's entry opens it without its collection [auth.restricted.documents]", async () => {
    const special = await make();
    const by = await key({ documents: { [special.id]: "write" } });
    expect(await level(by, special.id)).toBe("write");
    expect(await listed(by)).toEqual([special.id]);
    expect((await by.get(`/api/v1/collections/${special.collectionId}`)).status).toBe(404);
  });

  it("it only narrows: what the owner may not do, no entry gives [decision.access.restricted]", async () => {
    const { vault, readable } = setting.world.collections;
    const { secret, adminDraft } = setting.world.documents;
    // A key names what its owner may see; afterwards they may not any more.
    await setting.world.setDefaultAccess(vault, "write");
    const by = await key(
      { collections: { [vault]: "write", [readable]: "write" }, documents: { [secret.id]: "write" } },
      "member",
    );
    expect(await level(by, secret.id)).toBe("write");
    await setting.world.setDefaultAccess(vault, "none");
    expect(await level(by, secret.id)).toBe("none");
    expect(await level(by, adminDraft.id)).toBe("none");
    expect((await by.post("/api/v1/documents", { collectionId: readable })).status).toBe(403);
    expect((await by.get(`/api/v1/collections/${vault}`)).status).toBe(404);
  });

  it("it creates no collections [decision.access.restricted-views]", async () => {
    const by = await key({ collections: { [setting.world.collections.open]: "write" } });
    expect(await by.post("/api/v1/collections", { name: "Mine" })).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
  });

  it("it sees collections, counts, tags, hits and sync rows only through what it can read [decision.access.restricted-views]", async () => {
    const { open, readable } = setting.world.collections;
    const [inside, denied] = [
      await make({ title: "Marlu", tags: ["marlu"] }),
      await make({ title: "Marlu", tags: ["marlu", "denied only"] }),
    ];
    const outside = await make({ title: "Marlu", collectionId: readable, tags: ["marlu", "outside only"] });
    const by = await key({ collections: { [open]: "read" }, documents: { [denied.id]: "none" } });
    type Tags = Many<{ name: string; documentCount: number }>;
    const tags = (await by.get<Tags>("/api/v1/tags")).body.data;
    expect(tags.find((tag) => tag.name === "marlu")?.documentCount).toBe(1);
    expect(tags.map((tag) => tag.name)).not.toEqual(expect.arrayContaining(["denied only"]));
    expect(tags.map((tag) => tag.name)).not.toEqual(expect.arrayContaining(["outside only"]));
    expect((await by.get<Page<object>>("/api/v1/search?query=marlu")).body.total).toBe(1);
    expect(await listed(by, "&title=marlu")).toEqual([inside.id]);
    const synced = await by.get<Many<DocumentView>>("/api/v1/documents?updatedSince=1970-01-01T00:00:00Z");
    const ids = synced.body.data.map((row) => row.id);
    expect(ids).toContain(inside.id);
    expect(ids).not.toContain(denied.id);
    expect(ids).not.toContain(outside.id);
    expect((await by.get<Many<{ id: string }>>("/api/v1/collections")).body.data.map((row) => row.id)).toEqual([open]);
  });

  it("it deletes and restores no further than it writes [decision.access.restricted]", async () => {
    const { open } = setting.world.collections;
    const [document, readOnly] = [await make(), await make()];
    const by = await key({ collections: { [open]: "write" }, documents: { [readOnly.id]: "read" } });
    expect((await by.delete<object>(`/api/v1/documents/${document.id}`)).status).toBe(200);
    expect((await by.delete(`/api/v1/documents/${readOnly.id}`)).status).toBe(403);
    await editor.delete<object>(`/api/v1/documents/${readOnly.id}`);
    const trash = await listed(by, "&deleted=true");
    expect(trash).toContain(document.id);
    expect(trash).not.toContain(readOnly.id);
    expect((await by.post(`/api/v1/documents/${readOnly.id}/restore`)).status).toBe(404);
    expect((await by.post<object>(`/api/v1/documents/${document.id}/restore`)).status).toBe(200);
  });

  it("a denied child below a parent that is deleted stays, and moves up [decision.access.restricted]", async () => {
    const parent = await make();
    const child = await make({ parentDocumentId: parent.id });
    const by = await key({
      collections: { [setting.world.collections.open]: "write" },
      documents: { [child.id]: "none" },
    });
    expect((await by.delete<object>(`/api/v1/documents/${parent.id}`)).status).toBe(200);
    const { body } = await editor.get<One<DocumentView>>(`/api/v1/documents/${child.id}`);
    expect(body.data).toMatchObject({ parentDocumentId: null, deletedAt: null });
  });

  it("a move needs write at both ends [decision.access.restricted]", async () => {
    const { open, readable } = setting.world.collections;
    const document = await make();
    const path = `/api/v1/documents/${document.id}`;
    const reads = await key({ collections: { [open]: "write", [readable]: "read" } });
    expect((await reads.patch(path, { collectionId: readable })).status).toBe(403);
    const blind = await key({ collections: { [open]: "write" } });
    expect((await blind.patch(path, { collectionId: readable })).status).toBe(404);
    const writes = await key({ collections: { [open]: "write", [readable]: "write" } });
    expect((await writes.patch<object>(path, { collectionId: readable })).status).toBe(200);
  });
});
