import { callerOf } from "@kb/core/testing";
import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);
const collectionId = (await editor.createCollection({ name: "Listed" })).id;
const all: DocumentView[] = [];
for (let index = 0; index < 30; index += 1) all.push(await createNumbered(index));

function createNumbered(index: number): Promise<DocumentView> {
  const even = index % 2 === 0 ? ["even"] : [];
  const third = index % 3 === 0 ? ["third"] : [];
  return editor.create({
    collectionId,
    title: `Title ${String(29 - index).padStart(2, "0")}`,
    text: `Body ${index}`,
    sortOrder: (index * 7) % 30,
    publish: index % 2 === 0,
    tags: [...even, ...third],
  });
}

const list = (query: object = {}) => editor.list({ collectionId, ...query });
const total = async (query: object): Promise<number> => (await list(query)).total;
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);
async function requireInvalid(query: object, path: string): Promise<void> {
  const error = await editor.list(query).catch((thrown: unknown) => Object(thrown));
  expect(error, JSON.stringify(query)).toMatchObject({ code: "validation_error" });
  expect(error.details[0].path.split(".")[0]).toBe(path);
}

describe("a page of the list", () => {
  it("holds 25 documents by default, newest change first, and the total", {
    meta: { proves: ["documents.list", "documents.list.paginated", "limits.page-size", "decision.documents.sort"] },
  }, async () => {
    const { data, ...paging } = await list();
    expect(paging).toEqual({ total: 30, limit: 25, offset: 0 });
    expect(data).toEqual([...all].reverse().slice(0, 25));
  });

  it("holds each document once with limit and offset", {
    meta: { proves: ["documents.list.limit", "documents.list.offset"] },
  }, async () => {
    const seen: string[] = [];
    for (let offset = 0; offset < 35; offset += 7) {
      const { data, ...paging } = await list({ limit: 7, offset });
      expect(paging).toEqual({ total: 30, limit: 7, offset });
      seen.push(...idsOf(data));
    }
    expect(seen).toEqual(idsOf(all).reverse());
    expect((await list({ offset: 30 })).data).toEqual([]);
  });

  it("has a limit of 1 to 100 and any offset from 0", {
    meta: { proves: ["decision.documents.paging", "limits.page-size"] },
  }, async () => {
    expect((await list({ limit: 1 })).data).toHaveLength(1);
    expect((await list({ limit: 100 })).data).toHaveLength(30);
    expect((await list({ offset: 2_147_483_647 })).data).toEqual([]);
    for (const limit of [0, 101, -1, 1.5, "abc", 1e20]) await requireInvalid({ limit }, "limit");
    for (const offset of [-1, "x", 1.5]) await requireInvalid({ offset }, "offset");
  });

  it("has markdownText in each row with the format markdown only", {
    meta: { proves: ["decision.documents.format-markdown"] },
  }, async () => {
    const { data } = await list({ format: "markdown", limit: 100 });
    expect(data.every((row) => row.markdownText === `${row.text}\n`)).toBe(true);
    expect((await list()).data.some((row) => "markdownText" in row)).toBe(false);
    const first = data[0];
    expect(await editor.get(first?.id ?? "", { format: "markdown" })).toEqual(first);
  });

  it("holds and counts only documents that the caller may read", {
    meta: { proves: ["decision.api.hidden"] },
  }, async () => {
    const { people, documents } = world;
    for (const who of ["admin", "editor", "member", "viewer"] as const) {
      const page = await callerOf(world, people[who]).list({ limit: 100 });
      expect(page.total, who).toBe(page.data.length);
      const seen = new Set(idsOf(page.data));
      expect(seen.has(documents.secret.id), who).toBe(who === "admin");
      expect(seen.has(documents.granted.id), who).toBe(who !== "editor");
      expect(seen.has(documents.foreign.id), who).toBe(false);
      expect(seen.has(documents.trashed.id), who).toBe(false);
    }
  });
});

describe("the filters of the list", () => {
  it("collectionId selects a collection", { meta: { proves: ["documents.list.collection-id"] } }, async () => {
    expect(new Set(await editor.listIds({ collectionId }))).toEqual(new Set(idsOf(all)));
  });

  it("parentDocumentId selects the direct children", {
    meta: { proves: ["documents.list.parent-document-id"] },
  }, async () => {
    const parent = await editor.create({ title: "Parent" });
    const child = await editor.create({ parentDocumentId: parent.id });
    await editor.create({ parentDocumentId: child.id });
    const { total: count, data } = await editor.list({ parentDocumentId: parent.id });
    expect({ count, ids: idsOf(data) }).toEqual({ count: 1, ids: [child.id] });
  });

  it("title matches the whole title in any case", { meta: { proves: ["documents.list.title"] } }, async () => {
    const titles = async (title: string): Promise<string[]> => (await list({ title })).data.map((row) => row.title);
    expect(await titles("title 07")).toEqual(["Title 07"]);
    expect(await titles("TITLE 07")).toEqual(["Title 07"]);
    expect(await titles("Title 0")).toEqual([]);
    expect(await titles("Title%")).toEqual([]);
    const odd = await editor.create({ title: "Straße Ünïcode 100%" });
    for (const title of ["straße ÜNÏCODE 100%", "Straße Ünïcode 100%".normalize("NFD")]) {
      expect(await editor.listIds({ title })).toEqual([odd.id]);
    }
  });

  it("status selects drafts, published and archived documents", {
    meta: { proves: ["documents.list.status", "decision.documents.status-filter"] },
  }, async () => {
    expect(await total({ status: ["published"] })).toBe(15);
    expect(await total({ status: ["draft"] })).toBe(15);
    expect(await total({ status: ["archived"] })).toBe(0);
    expect(await total({ status: ["draft", "published"] })).toBe(30);
    const published = await list({ status: ["published"] });
    expect(published.data.every((row) => row.publishedAt !== null)).toBe(true);
    for (const status of ["Published", "deleted", "", "draft,published"]) {
      await requireInvalid({ status: [status] }, "status");
    }
  });

  it("tag and tags select documents that have all of the names, in any case", {
    meta: { proves: ["documents.list.tag-filter", "decision.documents.tag-filter"] },
  }, async () => {
    expect(await total({ tag: ["even"] })).toBe(15);
    expect(await total({ tag: ["EVEN"] })).toBe(15);
    expect(await total({ tag: ["even", "third"] })).toBe(5);
    expect(await total({ tags: "even,third" })).toBe(5);
    expect(await total({ tags: "Third", tag: ["even"] })).toBe(5);
    expect(await total({ tag: ["none"] })).toBe(0);
    expect(await total({ tag: ["even", "none"] })).toBe(0);
    await requireInvalid({ tag: [""] }, "tag");
    await requireInvalid({ tags: "a,,b" }, "tags");
  });

  it("tag and tags take at most 50 names each", { meta: { proves: ["decision.documents.tag-filter"] } }, async () => {
    const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `t${index}`);
    expect(await total({ tags: names(50).join(","), tag: names(50) })).toBe(0);
    const tags = names(51).join(",");
    await requireInvalid({ tags }, "tags");
    const invalid = { code: "validation_error" };
    await expect(editor.sync({ updatedSince: "2026-01-01T00:00:00Z", tags })).rejects.toMatchObject(invalid);
    await expect(editor.search("a", { tags })).rejects.toMatchObject(invalid);
  });

  it("combine", { meta: { proves: ["documents.list.status", "documents.list.tag-filter"] } }, async () => {
    const { data } = await list({ tag: ["third"], status: ["draft"], title: "title 26" });
    expect(data.map((row) => row.title)).toEqual(["Title 26"]);
  });
});

describe("the order of the list", () => {
  it("is by any of four fields, ascending or descending", {
    meta: { proves: ["decision.documents.sort"] },
  }, async () => {
    const orderBy = (value: (row: DocumentView) => string | number): string[] =>
      idsOf([...all].sort((a, b) => (value(a) < value(b) ? -1 : 1)));
    for (const [sort, order] of [
      ["updatedAt", orderBy((row) => row.updatedAt)],
      ["createdAt", orderBy((row) => row.createdAt)],
      ["title", orderBy((row) => row.title)],
      ["sortOrder", orderBy((row) => row.sortOrder)],
    ] as const) {
      expect(await editor.listIds({ collectionId, sort })).toEqual(order);
      expect(await editor.listIds({ collectionId, sort: `-${sort}` })).toEqual([...order].reverse());
    }
    for (const sort of ["", "name", "--title", "title,-updatedAt", "Title"]) await requireInvalid({ sort }, "sort");
  });

  it("is by id among equal values, so that pages never repeat or omit a row", {
    meta: { proves: ["decision.documents.sort"] },
  }, async () => {
    const tied = (await editor.createCollection({ name: "Tied" })).id;
    const made: string[] = [];
    for (let index = 0; index < 9; index += 1) {
      made.push((await editor.create({ collectionId: tied, title: "Same" })).id);
    }
    await test.database.execute(sql`UPDATE documents SET "updatedAt" = '2026-01-01T00:00:00Z', "createdAt" = '2026-01-01T00:00:00Z'
      WHERE "teamId" = ${world.teamId}::uuid AND "collectionId" = ${tied}::uuid`);
    for (const sort of ["updatedAt", "createdAt", "title", "sortOrder"]) {
      const seen: string[] = [];
      for (let offset = 0; offset < 9; offset += 2) {
        seen.push(...(await editor.listIds({ collectionId: tied, sort, limit: 2, offset })));
      }
      expect(seen, sort).toEqual([...made].sort());
    }
  });
});
