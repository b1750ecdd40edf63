import { callerOf, createWorld, openChannel, type TestCaller, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Continuation } from "../context.ts";
import type { DocumentView } from "../schema/document.ts";
import { searchDocuments } from "../search/index.ts";
import { listDocuments } from "./list.ts";

const epoch = "1970-01-01T00:00:00Z";
const bodyBytes = 900_000;
const documentCount = 12;

describe("a page of large documents", () => {
  let test: TestDatabase;
  let world: World;
  let editor: TestCaller;
  let collectionId: string;
  let made: DocumentView[];

  beforeAll(async () => {
    test = await testDatabase();
    world = await createWorld(test.database);
    editor = callerOf(world, world.people.editor);
    collectionId = (await editor.createCollection({ name: "Large" })).id;
    made = [];
    for (let n = 0; n < documentCount; n += 1) {
      made.push(await editor.create({ collectionId, title: `Large ${n}`, text: `body ${n}`, publish: true }));
    }
    const { teamId } = world;
    const ids = made.map(({ id }) => id);
    await test.database.execute(sql`UPDATE document_bodies SET text = text || repeat('x', ${bodyBytes}::int),
      markdown = markdown || repeat('y', ${bodyBytes}::int)
      WHERE "teamId" = ${teamId}::uuid AND "documentId" = ANY (${ids}::uuid[])`);
  });
  afterAll(() => test.drop());

  const titles = (rows: readonly object[]): unknown[] => rows.map((row) => ("title" in row ? row.title : undefined));
  const newestFirst = () => made.map(({ title }) => title).reverse();

  async function partsOf(input: object): Promise<{ first: readonly object[]; parts: (readonly unknown[])[] }> {
    const continuation: Continuation = {};
    const page = await editor.run(listDocuments, { collectionId, ...input }, { continuation });
    const parts: (readonly unknown[])[] = [];
    for await (const part of continuation.rest ?? []) parts.push(part);
    return { first: page.data, parts };
  }

  const asRows = (parts: readonly (readonly unknown[])[]): object[] =>
    parts.flat().filter((row): row is object => typeof row === "object" && row !== null);

  it("is read in parts of about a megabyte, which are the rows of the page in order", async () => {
    const { first, parts } = await partsOf({});
    expect(first).toHaveLength(2);
    expect(parts.length).toBe(documentCount - first.length);
    const whole = await editor.run(listDocuments, { collectionId });
    expect([...first, ...asRows(parts)]).toEqual(whole.data);
    expect(titles(whole.data)).toEqual(newestFirst());
    expect(whole.data.every((row) => "text" in row && (row.text ?? "").length > bodyBytes)).toBe(true);
  });

  it("is one part without the texts", async () => {
    const { first, parts } = await partsOf({ fields: "id,title" });
    expect(titles(first)).toEqual(newestFirst());
    expect(parts).toEqual([]);
  });

  it("shows nothing in a later part that the caller may not read any more", async () => {
    const continuation: Continuation = {};
    const viewer = callerOf(world, world.people.viewer);
    await viewer.run(listDocuments, { collectionId }, { continuation });
    const { teamId } = world;
    const setAccess = (level: string) =>
      test.database.execute(sql`UPDATE collections SET "defaultAccess" = ${level}::access_level
        WHERE "teamId" = ${teamId}::uuid AND id = ${collectionId}::uuid`);
    await setAccess("none");
    const rows: unknown[] = [];
    for await (const part of continuation.rest ?? []) rows.push(...part);
    await setAccess("write");
    expect(rows).toEqual([]);
  });

  it("of a search is read in parts too, each hit with its snippet and score", async () => {
    const continuation: Continuation = {};
    const input = { query: "large", collectionId };
    const page = await editor.run(searchDocuments, input, { continuation });
    expect(page.data).toHaveLength(2);
    const whole = await editor.run(searchDocuments, input);
    const rows: unknown[] = [...page.data];
    for await (const part of continuation.rest ?? []) rows.push(...part);
    expect(rows).toEqual(whole.data);
    expect(whole).toMatchObject({ total: documentCount });
    const snippets = whole.data.map(({ document, snippet }) => [document.title, snippet.slice(0, 4)]);
    expect(snippets).toEqual(newestFirst().map((title) => [title, "body"]));
  });

  it("ends at 8 MB in the sync, which says that there is more, and a client reads everything", {
    meta: { proves: ["decision.sync.answer"] },
  }, async () => {
    const read: object[] = [];
    const sizes: number[] = [];
    for (let cursor: object = { updatedSince: epoch }; ; ) {
      const page = await editor.sync({ collectionId, format: "markdown", ...cursor });
      read.push(...page.data);
      sizes.push(page.data.length);
      if (!page.hasMore) break;
      cursor = { cursor: page.nextCursor };
    }
    expect(sizes).toEqual([4, 4, 4]);
    expect(titles(read)).toEqual(made.map(({ title }) => title));
  });

  it("leaves a document that changes while a page of the sync is read to a later page", async () => {
    const continuation: Continuation = {};
    const input = { collectionId, updatedSince: epoch, fields: "id,title,text" };
    const page = await editor.run(listDocuments, input, { continuation });
    const [, , , changed] = made;
    await editor.update(changed?.id ?? "", { emoji: "🌊" });
    const rows: object[] = [...page.data];
    for await (const part of continuation.rest ?? []) rows.push(...asRows([part]));
    expect(titles(rows)).not.toContain("Large 3");
    expect("nextCursor" in page).toBe(true);
    const cursor = "nextCursor" in page ? page.nextCursor : "";
    const next = await editor.sync({ collectionId, cursor });
    expect(titles(next.data)).toContain("Large 3");
  });

  it("ends at 8 MB in a channel, whose cursor leads to all others", {
    meta: { proves: ["published.next-cursor"] },
  }, async () => {
    const channel = await openChannel(world, { collections: [collectionId], markdown: true });
    const read: object[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof channel.list>> = await channel.list({ limit: 100, cursor });
      read.push(...page.data);
      sizes.push(page.data.length);
      cursor = page.nextCursor;
    }
    expect(sizes).toEqual([4, 4, 4]);
    const newest = await editor.run(listDocuments, { collectionId, fields: "title" });
    expect(titles(read)).toEqual(titles(newest.data));
  });

  it("of a channel is read in parts too, and its state changes with each document", async () => {
    const channel = await openChannel(world, { collections: [collectionId], markdown: true });
    const parts = async () => {
      const continuation: Continuation = {};
      const page = await channel.list({}, { continuation });
      const rows: unknown[] = [...page.data];
      for await (const part of continuation.rest ?? []) rows.push(...part);
      return { rows, first: page.data.length, state: continuation.state };
    };
    const whole = await channel.list();
    const before = await parts();
    expect(before.first).toBe(1);
    expect(before.rows).toEqual(whole.data);
    expect(whole.data.every(({ markdownText }) => (markdownText ?? "").length > bodyBytes)).toBe(true);
    await editor.update(made[0]?.id ?? "", { emoji: "🌋" });
    await editor.update(made[0]?.id ?? "", { emoji: null });
    const after = await parts();
    expect(after.state).not.toBe(before.state);
  });
});
