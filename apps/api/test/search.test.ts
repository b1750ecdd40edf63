import type { DocumentView } from "@kb/core";
import type { ApiClient, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type Hit = { document: DocumentView; snippet: string; score: number };

describe("GET /api/v1/search", () => {
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    editor = setting.as(setting.world.people.editor);
  });
  afterAll(() => setting.close());

  const make = async (input: object): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, publish: true, ...input };
    return (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };

  it("returns 200 with {total, limit, offset, data: [{document, snippet, score}]}", {
    meta: { proves: ["decision.search.answer", "decision.search.snippet"] },
  }, async () => {
    const document = await make({ title: "Wombat care", text: "Feed the **wombat** & co at dusk." });
    const { status, body } = await editor.get<Page<Hit>>("/api/v1/search?query=wombat");
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        total: 1,
        limit: 25,
        offset: 0,
        data: [{ document, snippet: "Feed the <mark>wombat</mark> &amp; co at dusk.", score: expect.any(Number) }],
      },
    });
  });

  it("reads filters, limit and offset from the query string", {
    meta: { proves: ["decision.search.answer"] },
  }, async () => {
    const { open, readable } = setting.world.collections;
    const { id: here } = await make({ title: "Größe one", tags: ["Small", "grey"] });
    const { id: there } = await make({ title: "Größe two", collectionId: readable });
    const { id: draft } = await make({ title: "Größe three", publish: false });
    const found = async (more: string): Promise<string[]> =>
      (await editor.get<Page<Hit>>(`/api/v1/search?query=${encodeURIComponent("größe")}${more}`)).body.data.map(
        (hit) => hit.document.id,
      );
    expect((await found("")).sort()).toEqual([here, there, draft].sort());
    expect(await found(`&collectionId=${readable}`)).toEqual([there]);
    expect((await found(`&collectionId=${open}`)).sort()).toEqual([here, draft].sort());
    expect(await found("&tag=SMALL&tag=grey")).toEqual([here]);
    expect(await found("&tags=small,none")).toEqual([]);
    expect(await found("&status=draft")).toEqual([draft]);
    const pages = [await found("&limit=2"), await found("&limit=2&offset=2")];
    expect(pages.map((page) => page.length)).toEqual([2, 1]);
  });

  it.each([
    "",
    "query=",
    "query=%20",
    `query=${"x".repeat(501)}`,
    "query=a&query=b",
    "query=a&limit=0",
    "query=a&limit=101",
    "query=a&status=x",
    "query=%00",
  ])("?%s is 400", { meta: { proves: ["errors.validation"] } }, async (query) => {
    expect(await editor.get(`/api/v1/search?${query}`)).toMatchObject({
      status: 400,
      body: { code: "validation_error" },
    });
  });
});
