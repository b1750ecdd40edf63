import type { DocumentView } from "@kb/core";
import { sql } from "@kb/db";
import type { ApiClient, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("GET /api/v1/documents", () => {
  let setting: Setting;
  let editor: ApiClient;
  let place: string;
  let all: DocumentView[];
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
    place = (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Listed" })).body.data.id;
    all = [];
    for (let index = 0; index < 30; index += 1) {
      all.push(
        await make({
          title: `Title ${String(29 - index).padStart(2, "0")}`,
          text: `Body ${index}`,
          sortOrder: (index * 7) % 30,
          publish: index % 2 === 0,
          tags: [...(index % 2 === 0 ? ["even"] : []), ...(index % 3 === 0 ? ["third"] : [])],
        }),
      );
    }
  });
  afterAll(() => setting.close());

  const make = async (input: object): Promise<DocumentView> =>
    (await editor.post<One<DocumentView>>("/api/v1/documents", { collectionId: place, ...input })).body.data;
  const page = async (query = ""): Promise<Page<DocumentView>> =>
    (await editor.get<Page<DocumentView>>(`/api/v1/documents?collectionId=${place}&${query}`)).body;
  const titles = async (query: string): Promise<string[]> => (await page(query)).data.map((row) => row.title);
  const ids = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);

  it("answers {total, limit, offset, data} with 25 a page by default, newest change first [documents.list] [documents.list.paginated] [limits.page-size] [decision.documents.sort]", async () => {
    const { status, body } = await editor.get<Page<DocumentView>>(`/api/v1/documents?collectionId=${place}`);
    expect(status).toBe(200);
    expect({ ...body, data: ids(body.data) }).toEqual({
      ...{ total: 30, limit: 25, offset: 0, data: ids(all).reverse().slice(0, 25) },
    });
    expect(body.data[0]).toEqual(all.at(-1));
  });

  it("limit and offset page through everything once [documents.list.limit] [documents.list.offset]", async () => {
    const seen: string[] = [];
    for (let offset = 0; offset < 35; offset += 7) {
      const { total, limit, data, ...rest } = await page(`limit=7&offset=${offset}`);
      expect({ total, limit, offset: rest.offset }).toEqual({ total: 30, limit: 7, offset });
      seen.push(...ids(data));
    }
    expect(seen).toEqual(ids(all).reverse());
    expect((await page("offset=30")).data).toEqual([]);
  });

  it.each(["0", "101", "-1", "1.5", "abc", "", "1e2", "99999999999999999999"])(
    "limit=%s is 400, not clamped [decision.documents.paging]",
    async (limit) => {
      const { status, body } = await editor.get(`/api/v1/documents?limit=${limit}`);
      expect({ status, code: body.code, path: body.details?.[0]?.path }).toEqual({
        ...{ status: 400, code: "validation_error", path: "limit" },
      });
    },
  );

  it("limit=1 and limit=100 are taken, and so is a great offset [decision.documents.paging] [limits.page-size]", async () => {
    expect((await page("limit=1")).data).toHaveLength(1);
    expect((await page("limit=100")).data).toHaveLength(30);
    expect((await page("offset=2147483647")).data).toEqual([]);
    expect((await editor.get("/api/v1/documents?offset=-1")).status).toBe(400);
    expect((await editor.get("/api/v1/documents?offset=x")).status).toBe(400);
  });

  it("collectionId filters [documents.list.collection-id]", async () => {
    expect(new Set(ids((await page("limit=100")).data))).toEqual(new Set(ids(all)));
  });

  it("parentDocumentId lists the direct children [documents.list.parent-document-id]", async () => {
    const parent = await make({ title: "Parent", collectionId: setting.world.collections.open });
    const child = await make({ parentDocumentId: parent.id, collectionId: setting.world.collections.open });
    await make({ parentDocumentId: child.id, collectionId: setting.world.collections.open });
    const { body } = await editor.get<Page<DocumentView>>(`/api/v1/documents?parentDocumentId=${parent.id}`);
    expect({ total: body.total, ids: ids(body.data) }).toEqual({ total: 1, ids: [child.id] });
  });

  it("title matches exactly, whatever the case [documents.list.title]", async () => {
    expect(await titles("title=title%2007")).toEqual(["Title 07"]);
    expect(await titles("title=TITLE%2007")).toEqual(["Title 07"]);
    expect(await titles("title=Title%200")).toEqual([]);
    expect(await titles("title=Title%25")).toEqual([]);
    const odd = await make({ title: "Straße Ünïcode 100%", collectionId: setting.world.collections.open });
    for (const title of ["straße ÜNÏCODE 100%", "Straße Ünïcode 100%".normalize("NFD")]) {
      const { body } = await editor.get<Page<DocumentView>>(`/api/v1/documents?title=${encodeURIComponent(title)}`);
      expect(ids(body.data)).toEqual([odd.id]);
    }
  });

  it("status picks drafts, published and archived ones; repeatable; another value is 400 [documents.list.status] [decision.documents.status-filter]", async () => {
    expect((await page("status=published")).total).toBe(15);
    expect((await page("status=draft")).total).toBe(15);
    expect((await page("status=archived")).total).toBe(0);
    expect((await page("status=draft&status=published")).total).toBe(30);
    expect((await page("status=published")).data.every((row) => row.publishedAt !== null)).toBe(true);
    for (const status of ["Published", "deleted", "", "draft,published"]) {
      expect((await editor.get(`/api/v1/documents?status=${status}`)).status, status).toBe(400);
    }
  });

  it("tag filters by name, whatever the case; repeated, all must be there; tags=a,b is the same [documents.list.tag-filter] [decision.documents.tag-filter]", async () => {
    expect((await page("tag=even")).total).toBe(15);
    expect((await page("tag=EVEN")).total).toBe(15);
    expect((await page("tag=even&tag=third")).total).toBe(5);
    expect((await page("tags=even,third")).total).toBe(5);
    expect((await page("tags=Third&tag=even")).total).toBe(5);
    expect((await page("tag=none")).total).toBe(0);
    expect((await page("tag=even&tag=none")).total).toBe(0);
    expect((await editor.get("/api/v1/documents?tag=")).status).toBe(400);
    expect((await editor.get("/api/v1/documents?tags=a,,b")).status).toBe(400);
    const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`).join(",");
    expect((await page(`tags=${many(50)}&tag=${many(50).replaceAll(",", "&tag=")}`)).total).toBe(0);
    for (const path of ["documents?", "documents?updatedSince=2026-01-01T00:00:00Z&", "search?query=a&"]) {
      expect((await editor.get(`/api/v1/${path}tags=${many(51)}`)).status, path).toBe(400);
    }
  });

  it("filters combine [documents.list.status] [documents.list.tag-filter]", async () => {
    expect((await page("tag=third&status=draft&title=title%2026")).data.map((row) => row.title)).toEqual(["Title 26"]);
  });

  it("sort orders by each of its fields, both ways [decision.documents.sort]", async () => {
    const sorted = async (sort: string): Promise<string[]> => ids((await page(`limit=100&sort=${sort}`)).data);
    const by = (value: (row: DocumentView) => string | number): string[] =>
      ids([...all].sort((a, b) => (value(a) < value(b) ? -1 : 1)));
    for (const [sort, order] of [
      ["updatedAt", by((row) => row.updatedAt)],
      ["createdAt", by((row) => row.createdAt)],
      ["title", by((row) => row.title)],
      ["sortOrder", by((row) => row.sortOrder)],
    ] as const) {
      expect(await sorted(sort)).toEqual(order);
      expect(await sorted(`-${sort}`)).toEqual([...order].reverse());
    }
    for (const sort of ["", "name", "--title", "title,-updatedAt", "Title"]) {
      expect((await editor.get(`/api/v1/documents?sort=${sort}`)).status, sort).toBe(400);
    }
  });

  it("ties are broken by id, so that pages never repeat or leave out a row [decision.documents.sort]", async () => {
    const tied = (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Tied" })).body.data.id;
    const made: string[] = [];
    for (let index = 0; index < 9; index += 1) made.push((await make({ collectionId: tied, title: "Same" })).id);
    await setting.database.execute(sql`UPDATE documents SET "updatedAt" = '2026-01-01T00:00:00Z', "createdAt" = '2026-01-01T00:00:00Z'
      WHERE "teamId" = ${setting.world.teamId}::uuid AND "collectionId" = ${tied}::uuid`);
    for (const sort of ["updatedAt", "createdAt", "title", "sortOrder"]) {
      const seen: string[] = [];
      for (let offset = 0; offset < 9; offset += 2) {
        const query = `collectionId=${tied}&sort=${sort}&limit=2&offset=${offset}`;
        seen.push(...ids((await editor.get<Page<DocumentView>>(`/api/v1/documents?${query}`)).body.data));
      }
      expect(seen, sort).toEqual([...made].sort());
    }
  });

  it("format=markdown adds markdownText to each row; without it no row has one [decision.documents.format-markdown]", async () => {
    const rows = (await page("format=markdown&limit=100")).data;
    expect(rows.every((row) => row.markdownText === `${row.text}\n`)).toBe(true);
    expect((await page("")).data.some((row) => "markdownText" in row)).toBe(false);
    expect((await editor.get("/api/v1/documents?format=html")).status).toBe(400);
  });

  it("GET /api/v1/documents/{id} has the same row [documents.get] [decision.documents.format-markdown]", async () => {
    const [row] = (await page("limit=1&format=markdown")).data;
    const { status, body } = await editor.get<One<DocumentView>>(`/api/v1/documents/${row?.id}?format=markdown`);
    expect({ status, data: body.data }).toEqual({ status: 200, data: row });
    expect((await editor.get(`/api/v1/documents/${row?.id}?format=html`)).status).toBe(400);
    expect((await editor.get(`/api/v1/documents/${row?.id}?include=everything`)).status).toBe(400);
    const { body: missing } = await editor.get(`/api/v1/documents/${unknownId}`);
    expect(missing).toEqual({ error: "Document not found", code: "not_found" });
  });

  it("counts and rows show what the caller may read alone [decision.api.hidden]", async () => {
    const { people, documents } = setting.world;
    for (const who of ["admin", "editor", "member", "viewer"] as const) {
      const { body } = await setting.as(people[who]).get<Page<DocumentView>>("/api/v1/documents?limit=100");
      expect(body.total, who).toBe(body.data.length);
      const seen = new Set(ids(body.data));
      expect(seen.has(documents.secret.id), who).toBe(who === "admin");
      expect(seen.has(documents.granted.id), who).toBe(who !== "editor");
      expect(seen.has(documents.foreign.id), who).toBe(false);
      expect(seen.has(documents.trashed.id), who).toBe(false);
    }
  });
});
