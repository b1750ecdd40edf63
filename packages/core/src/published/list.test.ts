import { callerOf, openChannel, outcomeOf, type TestChannel, unknownId } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

type Rows = Awaited<ReturnType<TestChannel["list"]>>["data"];

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const create = (collectionId: string): Promise<DocumentView> => editor.create({ publish: true, collectionId });
const createCollection = async (): Promise<string> => (await editor.createCollection({ name: "For the world" })).id;
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);

/** Reads the whole channel, page by page. */
async function readPages(
  channel: TestChannel,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<Rows[]> {
  const pages: Rows[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Awaited<ReturnType<TestChannel["list"]>> = await channel.list({ limit, cursor });
    pages.push(page.data);
    cursor = page.nextCursor;
    await between();
  }
  return pages;
}

/** Inserts published documents as another program may have written them: any number in one millisecond. */
async function insertDocuments(collectionId: string, times: readonly string[]): Promise<void> {
  const { teamId } = world;
  const rows = times.map((at) => ({ id: newId(), at: new Date(at) }));
  await test.database.client.document.createMany({
    data: rows.map(({ id, at }) => ({
      teamId,
      id,
      collectionId,
      title: "Tied",
      titleKey: "tied",
      runStartedAt: at,
      createdAt: at,
      updatedAt: at,
      publishedAt: at,
    })),
  });
  await test.database.client.documentBody.createMany({
    data: rows.map(({ id }) => ({ teamId, documentId: id, content: { type: "doc" }, text: "", markdown: "" })),
  });
}

describe("the pages of a channel", () => {
  it("hold 25 documents by default and at most 100, newest first; the last one has no cursor", {
    meta: { proves: ["published.cursor", "published.next-cursor", "decision.channels.limit"] },
  }, async () => {
    const collectionId = await createCollection();
    const made: DocumentView[] = [];
    for (let count = 0; count < 30; count += 1) made.push(await create(collectionId));
    const channel = await openChannel(world, { collections: [collectionId] });
    const newest = idsOf(made).reverse();
    const first = await channel.list();
    expect(idsOf(first.data)).toEqual(newest.slice(0, 25));
    expect(first.nextCursor).toBe(first.data.at(-1)?.updatedAt);
    const second = await channel.list({ cursor: first.nextCursor });
    expect(idsOf(second.data)).toEqual(newest.slice(25));
    expect(second.nextCursor).toBeNull();
    expect((await channel.list({ limit: 30 })).nextCursor).toBeNull();
    expect(idsOf((await readPages(channel, 7)).flat())).toEqual(newest);
    for (const limit of [0, 101, 2.5, "many"]) {
      expect(await outcomeOf(channel.list({ limit })), String(limit)).toBe("validation_error");
    }
  });

  it("lie between cursor and updatedSince, both exclusive", {
    meta: { proves: ["published.updated-since", "published.cursor"] },
  }, async () => {
    const collectionId = await createCollection();
    const one = await create(collectionId);
    const two = await create(collectionId);
    const three = await create(collectionId);
    const channel = await openChannel(world, { collections: [collectionId] });
    const listed = async (query: object): Promise<string[]> => idsOf((await channel.list(query)).data);
    expect(await listed({ updatedSince: one.updatedAt })).toEqual([three.id, two.id]);
    expect(await listed({ cursor: three.updatedAt })).toEqual([two.id, one.id]);
    expect(await listed({ cursor: three.updatedAt, updatedSince: one.updatedAt })).toEqual([two.id]);
    expect(await listed({ updatedSince: three.updatedAt })).toEqual([]);
    for (const query of [
      { cursor: "yesterday" },
      { updatedSince: "1" },
      { cursor: unknownId },
      { offset: 1 },
      { format: "markdown" },
    ]) {
      expect(await outcomeOf(channel.list(query)), JSON.stringify(query)).toBe("validation_error");
    }
  });

  it("never split the 500 rows of one millisecond, and lose none", {
    meta: { proves: ["decision.channels.ties"] },
  }, async () => {
    const collectionId = await createCollection();
    const tie = "2026-03-01T00:00:00.500Z";
    const older = "2026-03-01T00:00:00.499Z";
    const newer = "2026-03-01T00:00:00.501Z";
    await insertDocuments(collectionId, [...Array(500).fill(tie), ...Array(3).fill(older), ...Array(3).fill(newer)]);
    const channel = await openChannel(world, { collections: [collectionId] });
    for (const limit of [1, 2, 3, 4, 25, 100]) {
      const pages = await readPages(channel, limit);
      expect(pages.flat().length, `limit ${limit}`).toBe(506);
      expect(new Set(idsOf(pages.flat())).size).toBe(506);
      const times = pages.flatMap((rows) => [...new Set(rows.map((row) => row.updatedAt))]);
      expect(new Set(times).size, "a millisecond is on one page").toBe(times.length);
    }
    await test.database.execute(sql`DELETE FROM documents d WHERE d."teamId" = ${world.teamId}::uuid
      AND d."collectionId" = ${collectionId}::uuid AND d."updatedAt" = ${older}::timestamptz`);
    const lengths = async (limit: number) => (await readPages(channel, limit)).map((rows) => rows.length);
    expect(await lengths(3)).toEqual([3, 500]);
    expect(await lengths(4)).toEqual([503]);
  });

  it("hold every document that stays and none twice while others are published and unpublished", {
    meta: { proves: ["decision.channels.ties"] },
  }, async () => {
    const collectionId = await createCollection();
    const stay: string[] = [];
    const flicker: string[] = [];
    for (let count = 0; count < 24; count += 1) {
      stay.push((await create(collectionId)).id);
      flicker.push((await create(collectionId)).id);
    }
    const channel = await openChannel(world, { collections: [collectionId] });
    let turn = 0;
    const gone = new Set<string>();
    const pages = await readPages(channel, 5, async () => {
      for (let count = 0; count < 4; count += 1, turn += 1) {
        const id = flicker[turn % flicker.length] ?? "";
        const published = gone.delete(id);
        if (!published) gone.add(id);
        await editor.update(id, { published });
      }
      for (const id of gone) expect(await outcomeOf(channel.get(id))).toBe("not_found");
    });
    const seen = idsOf(pages.flat());
    expect(new Set(seen).size).toBe(seen.length);
    expect(stay.filter((id) => !seen.includes(id))).toEqual([]);
  });
});
