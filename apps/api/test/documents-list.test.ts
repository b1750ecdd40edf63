import type { DocumentView } from "@kb/core";
import type { ApiClient, One, Page } from "@kb/http/testing";
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
    for (const [title, tags, publish] of [
      ["One", ["even"], true],
      ["Two", ["even", "third"], false],
      ["Three % more", ["third"], true],
    ] as const) {
      const json = { collectionId: place, title, text: `Body of ${title}`, tags, publish };
      all.push((await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data);
    }
  });
  afterAll(() => setting.close());

  const page = async (query = ""): Promise<Page<DocumentView>> =>
    (await editor.get<Page<DocumentView>>(`/api/v1/documents?collectionId=${place}&${query}`)).body;
  const titles = async (query: string): Promise<string[]> => (await page(query)).data.map((row) => row.title);

  it("returns 200 with {total, limit, offset, data}, 25 items per page by default", {
    meta: { proves: ["documents.list", "documents.list.paginated", "limits.page-size", "decision.documents.sort"] },
  }, async () => {
    const { status, body } = await editor.get<Page<DocumentView>>(`/api/v1/documents?collectionId=${place}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { total: 3, limit: 25, offset: 0, data: [...all].reverse() },
    });
  });

  it.each(["0", "101", "-1", "1.5", "abc", "", "1e2", "99999999999999999999"])(
    "limit=%s is 400, not clamped",
    { meta: { proves: ["decision.documents.paging"] } },
    async (limit) => {
      const { status, body } = await editor.get(`/api/v1/documents?limit=${limit}`);
      expect({ status, code: body.code, path: body.details?.[0]?.path }).toEqual({
        status: 400,
        code: "validation_error",
        path: "limit",
      });
    },
  );

  it("limit and offset are read as numbers", {
    meta: { proves: ["documents.list.limit", "documents.list.offset", "limits.page-size"] },
  }, async () => {
    expect(await page("limit=1&offset=1")).toMatchObject({ total: 3, limit: 1, offset: 1, data: [{ title: "Two" }] });
    expect(await page("limit=100")).toMatchObject({ limit: 100 });
    expect((await page("offset=2147483647")).data).toEqual([]);
    expect((await editor.get("/api/v1/documents?offset=-1")).status).toBe(400);
    expect((await editor.get("/api/v1/documents?offset=x")).status).toBe(400);
  });

  it("status and tag are repeatable, tags=a,b is the same, title is decoded", {
    meta: {
      proves: [
        "documents.list.status",
        "documents.list.tag-filter",
        "documents.list.title",
        "decision.documents.tag-filter",
        "decision.documents.status-filter",
      ],
    },
  }, async () => {
    expect(await titles("status=draft")).toEqual(["Two"]);
    expect((await page("status=draft&status=published")).total).toBe(3);
    expect(await titles("tag=EVEN&tag=third")).toEqual(["Two"]);
    expect(await titles("tags=even,third")).toEqual(["Two"]);
    expect(await titles("tags=third&tag=even&status=draft")).toEqual(["Two"]);
    expect(await titles("title=three%20%25%20more")).toEqual(["Three % more"]);
    expect(await titles("sort=title")).toEqual(["One", "Three % more", "Two"]);
  });

  it("another value of status, tag, tags, sort or format is 400", {
    meta: { proves: ["decision.documents.status-filter", "decision.documents.sort"] },
  }, async () => {
    for (const query of [
      ...["Published", "deleted", "", "draft,published"].map((status) => `status=${status}`),
      ...["", "name", "--title", "title,-updatedAt", "Title"].map((sort) => `sort=${sort}`),
      "tag=",
      "tags=a,,b",
      "format=html",
    ]) {
      expect((await editor.get(`/api/v1/documents?${query}`)).status, query).toBe(400);
    }
    const many = Array.from({ length: 51 }, (_, index) => `t${index}`).join(",");
    for (const path of ["documents?", "documents?updatedSince=2026-01-01T00:00:00Z&", "search?query=a&"]) {
      expect((await editor.get(`/api/v1/${path}tags=${many}`)).status, path).toBe(400);
    }
  });

  it("GET /api/v1/documents/{id} returns 200 with the same row", {
    meta: { proves: ["documents.get", "decision.documents.format-markdown"] },
  }, async () => {
    const [row] = (await page("limit=1&format=markdown")).data;
    expect(row?.markdownText).toBe("Body of Three % more\n");
    const { status, body } = await editor.get<One<DocumentView>>(`/api/v1/documents/${row?.id}?format=markdown`);
    expect({ status, data: body.data }).toEqual({ status: 200, data: row });
    expect((await editor.get(`/api/v1/documents/${row?.id}?format=html`)).status).toBe(400);
    expect((await editor.get(`/api/v1/documents/${row?.id}?include=everything`)).status).toBe(400);
    const { body: missing } = await editor.get(`/api/v1/documents/${unknownId}`);
    expect(missing).toEqual({ error: "Document not found", code: "not_found" });
  });
});
