import type { DocumentView } from "@kb/core";
import type { ApiClient, One } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

/**
 * Statements of one request, those that authenticate its key left out; BEGIN and COMMIT are counted apart. A list takes at
 * most 4, one thing at most 3, a change of a document at most 8 (12 where it brings tags that are new, 16 where it takes a
 * tree to another collection), and no more for a hundred rows than for one.
 */
describe("statements", () => {
  const statements: string[] = [];
  let setting: Setting;
  let editor: ApiClient;
  beforeAll(async () => {
    setting = await openSetting({ connect: { onQuery: (text) => statements.push(text.trim()) } });
    editor = setting.as(setting.world.people.editor);
    await editor.get<object>("/api/v1/me");
  });
  afterAll(() => setting.close());

  const isTransaction = (text: string): boolean => /^(BEGIN|COMMIT|ROLLBACK|SET TRANSACTION)/i.test(text);
  const isLookUp = (text: string): boolean => /FROM api_keys k JOIN users u/.test(text);
  // At most once a minute.
  const notesUse = (text: string): boolean => /^UPDATE .*api_keys.*lastUsedAt/s.test(text);

  /** The statements of one request. */
  async function count(method: string, path: string, json?: object): Promise<string[]> {
    statements.length = 0;
    const { status } = await editor.send<object>(method, path, json === undefined ? {} : { json });
    const taken = [...statements];
    expect(status, `${method} ${path}`).toBeLessThan(300);
    expect(taken.filter(isLookUp)).toHaveLength(1);
    return taken.filter((text) => !isTransaction(text) && !isLookUp(text) && !notesUse(text));
  }
  const make = async (input: object = {}): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, publish: true, ...input };
    return (await editor.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };
  const collection = async (): Promise<string> =>
    (await editor.post<One<{ id: string }>>("/api/v1/collections", { name: "Counted" })).body.data.id;
  const listed = (texts: string[]): string =>
    texts.map((text) => text.replaceAll(/\s+/g, " ").slice(0, 120)).join("\n");

  it("a list takes at most 4, the same for 1 row and for 100", async () => {
    const [one, hundred] = [await collection(), await collection()];
    const single = await make({ collectionId: one, tags: ["a"] });
    const parent = await make({ collectionId: hundred });
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        make({
          collectionId: hundred,
          title: `Row ${index}`,
          text: "counted",
          tags: ["a", `b${index}`],
          parentDocumentId: parent.id,
        }),
      ),
    );
    await make({ collectionId: one, text: "counted", parentDocumentId: single.id });
    const lists: ((id: string, document: string) => string)[] = [
      (id) => `/api/v1/documents?limit=100&collectionId=${id}`,
      (id) => `/api/v1/documents?limit=100&collectionId=${id}&tag=a&status=published&sort=title&format=markdown`,
      (id) => `/api/v1/documents?limit=100&deleted=true&collectionId=${id}`,
      (_, document) => `/api/v1/documents?limit=100&parentDocumentId=${document}`,
      (id) => `/api/v1/documents?updatedSince=1970-01-01T00:00:00Z&collectionId=${id}`,
      (id) => `/api/v1/documents?updatedSince=${new Date(0).toISOString()}&format=markdown&collectionId=${id}`,
      (id) =>
        `/api/v1/documents?updatedSince=${new Date(Date.now() - 60_000).toISOString()}&includeDeleted=true&collectionId=${id}`,
      (id) => `/api/v1/search?query=counted&limit=100&collectionId=${id}`,
      (_, document) => `/api/v1/documents/${document}/revisions`,
      () => "/api/v1/collections",
      () => "/api/v1/tags",
    ];
    for (const list of lists) {
      const few = await count("GET", list(one, single.id));
      const many = await count("GET", list(hundred, parent.id));
      expect(many.length, listed(many)).toBeLessThanOrEqual(4);
      expect(many.length, listed(many)).toBe(few.length);
    }
  });

  it("one thing takes at most 3", async () => {
    const { id } = await make();
    for (const path of [
      "/api/v1/me",
      `/api/v1/documents/${id}`,
      `/api/v1/documents/${id}?format=markdown&include=content`,
      `/api/v1/documents/${id}/revisions/1`,
      `/api/v1/collections/${setting.world.collections.open}`,
    ]) {
      const taken = await count("GET", path);
      expect(taken.length, `${path}\n${listed(taken)}`).toBeLessThanOrEqual(3);
    }
  });

  it("a change takes at most 8", async () => {
    const { id } = await make({ tags: ["a"] });
    const path = `/api/v1/documents/${id}`;
    await setting.as(setting.world.people.admin).patch<object>(path, { title: "By another" });
    const place = setting.world.collections.open;
    const changes: [string, string, object?][] = [
      ["POST", "/api/v1/documents", { collectionId: place, title: "New", text: "# New\n\ntext", publish: true }],
      ["PATCH", path, { title: "Changed" }],
      ["PATCH", path, { text: "# Changed\n\nbody" }],
      ["PATCH", path, { title: "Both", text: "of them", published: false }],
      ["PATCH", path, { sortOrder: 4 }],
      ["PATCH", path, { published: true }],
      ["POST", `${path}/edits`, { op: "append", markdown: "more" }],
      ["DELETE", path],
      ["POST", `${path}/restore`],
      ["POST", `${path}/archive`],
      ["POST", `${path}/unarchive`],
      ["POST", "/api/v1/collections", { name: "New" }],
      ["PATCH", `/api/v1/collections/${place}`, { name: "Open still" }],
      ["POST", "/api/v1/tags", { name: "new of its kind" }],
    ];
    for (const [method, at, json] of changes) {
      const taken = await count(method, at, json);
      expect(taken.length, `${method} ${at} ${JSON.stringify(json)}\n${listed(taken)}`).toBeLessThanOrEqual(8);
    }
  });

  it("new tags take as many for 50 as for 1", async () => {
    const { id } = await make();
    const names = (count: number, prefix: string): string[] =>
      Array.from({ length: count }, (_, n) => `${prefix} ${n}`);
    const few = await count("PATCH", `/api/v1/documents/${id}`, { tags: names(1, "few") });
    const many = await count("PATCH", `/api/v1/documents/${id}`, { tags: names(50, "many") });
    expect(many.length, listed(many)).toBe(few.length);
    expect(few.length, listed(few)).toBeLessThanOrEqual(12);
  });

  it("moving a tree of 100 to another collection takes as many as one of 1", async () => {
    const [one, hundred, target] = [await make(), await make(), await collection()];
    await make({ parentDocumentId: one.id });
    await Promise.all(Array.from({ length: 100 }, () => make({ parentDocumentId: hundred.id })));
    const few = await count("PATCH", `/api/v1/documents/${one.id}`, { collectionId: target });
    const many = await count("PATCH", `/api/v1/documents/${hundred.id}`, { collectionId: target });
    expect(many.length, listed(many)).toBe(few.length);
    expect(few.length, listed(few)).toBeLessThanOrEqual(16);
  });

  it("deleting and restoring a tree of 100 takes as many as one of 1", async () => {
    const tree = async (size: number): Promise<string> => {
      const root = await make();
      await Promise.all(Array.from({ length: size }, () => make({ parentDocumentId: root.id })));
      return `/api/v1/documents/${root.id}`;
    };
    const [small, large] = [await tree(1), await tree(100)];
    for (const [method, suffix] of [
      ["POST", "/archive"],
      ["POST", "/unarchive"],
      ["DELETE", ""],
      ["POST", "/restore"],
    ] as const) {
      const few = await count(method, `${small}${suffix}`);
      const many = await count(method, `${large}${suffix}`);
      expect(many.length, `${method} ${suffix}\n${listed(many)}`).toBe(few.length);
    }
  });
});
