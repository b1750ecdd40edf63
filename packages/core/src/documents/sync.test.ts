import { callerOf, readAllRows, type SyncRow, timeOfRow } from "@kb/core/testing";
import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const epoch = "1970-01-01T00:00:00Z";
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);
const create = (input: object = {}): Promise<DocumentView> => editor.create({ publish: true, ...input });
const createCollection = async (): Promise<string> => (await editor.createCollection({ name: "Synced" })).id;
const syncSince = async (updatedSince: string, more: object = {}, by = editor): Promise<readonly SyncRow[]> =>
  (await by.sync({ updatedSince, ...more })).data;

describe("a page of the sync", () => {
  it("holds up to 500 documents without a total, oldest change first", {
    meta: {
      proves: [
        "decision.sync.answer",
        "documents.list.sync-without-total",
        "limits.sync-page-size",
        "documents.list.updated-since",
      ],
    },
  }, async () => {
    const collectionId = await createCollection();
    const made = [await create({ collectionId }), await create({ collectionId })];
    expect(await editor.sync({ updatedSince: epoch, collectionId })).toEqual({
      limit: 500,
      data: made,
      hasMore: false,
      nextCursor: expect.any(String),
    });
  });

  it("has a limit of 1 to 1000", {
    meta: { proves: ["decision.sync.answer", "decision.documents.paging"] },
  }, async () => {
    expect((await editor.sync({ updatedSince: epoch, limit: 1000 })).limit).toBe(1000);
    for (const limit of [0, 1001, -1, 1.5, "x"]) {
      await expect(editor.sync({ updatedSince: epoch, limit })).rejects.toMatchObject({ code: "validation_error" });
    }
  });

  it("refuses the paging of the plain list, and names the field", async () => {
    for (const other of [{ offset: 0 }, { sort: "title" }, { deleted: true }]) {
      await expect(editor.sync({ updatedSince: epoch, ...other })).rejects.toMatchObject({
        code: "validation_error",
        details: [{ path: Object.keys(other)[0] }],
      });
    }
    await expect(editor.sync({ includeDeleted: true })).rejects.toMatchObject({ code: "validation_error" });
  });

  it("refuses malformed times and cursors", async () => {
    for (const updatedSince of ["yesterday", "2026-01-01", "", "2026-01-01T00:00:00", "5"]) {
      await expect(editor.sync({ updatedSince })).rejects.toMatchObject({ code: "validation_error" });
    }
    for (const cursor of ["x", "", "e30", Buffer.from('{"at":1}').toString("base64url")]) {
      await expect(editor.sync({ cursor })).rejects.toMatchObject({ code: "validation_error" });
    }
  });

  it("begins after updatedSince, in any time zone", {
    meta: { proves: ["documents.list.updated-since", "decision.sync.ties"] },
  }, async () => {
    const first = await create();
    const second = await create();
    expect(idsOf(await syncSince(first.updatedAt))).toEqual([second.id]);
    expect(await syncSince(second.updatedAt)).toEqual([]);
    expect(idsOf(await syncSince(first.updatedAt.replace("Z", "+00:00")))).toEqual([second.id]);
  });

  it("adds markdownText to each document with the format markdown", {
    meta: { proves: ["documents.list.format-markdown", "document.field.markdown-text"] },
  }, async () => {
    const document = await create({ text: "# Body" });
    const before = new Date(Date.parse(document.updatedAt) - 1).toISOString();
    expect(await syncSince(before, { format: "markdown" })).toEqual([{ ...document, markdownText: "# Body\n" }]);
    expect(await syncSince(before)).toEqual([document]);
  });

  it("takes the filters of the plain list", async () => {
    const collectionId = await createCollection();
    const tagged = await create({ collectionId, tags: ["wanted"], title: "Tagged" });
    const draft = await create({ collectionId, publish: false });
    const child = await create({ collectionId, parentDocumentId: tagged.id });
    const found = async (filter: object): Promise<string[]> =>
      idsOf(await syncSince(epoch, { collectionId, ...filter }));
    expect(await found({ tag: ["wanted"] })).toEqual([tagged.id]);
    expect(await found({ status: ["draft"] })).toEqual([draft.id]);
    expect(await found({ parentDocumentId: tagged.id })).toEqual([child.id]);
    expect(await found({ title: "tagged" })).toEqual([tagged.id]);
  });

  it("never splits rows that share a millisecond", { meta: { proves: ["decision.sync.ties"] } }, async () => {
    const collectionId = await createCollection();
    const made: DocumentView[] = [];
    for (let index = 0; index < 10; index += 1) made.push(await create({ collectionId }));
    const setTime = (from: number, to: number, at: string) =>
      test.database.execute(sql`UPDATE documents SET "updatedAt" = ${new Date(at)}
        WHERE "teamId" = ${world.teamId}::uuid AND id = ANY(${idsOf(made.slice(from, to))}::uuid[])`);
    await setTime(0, 2, "2025-01-01T00:00:00.001Z");
    await setTime(2, 8, "2025-01-01T00:00:00.002Z");
    await setTime(8, 10, "2025-01-01T00:00:00.003Z");
    for (const limit of [1, 2, 3, 4, 7, 8, 9, 10]) {
      const rows = await readAllRows(editor, "2025-01-01T00:00:00Z", limit, { collectionId });
      expect(idsOf(rows), `limit ${limit}`).toEqual(idsOf(made));
    }
    const page = await editor.sync({ updatedSince: "2025-01-01T00:00:00Z", collectionId, limit: 3 });
    expect(page).toMatchObject({ limit: 3, hasMore: true });
    expect(idsOf(page.data)).toEqual(idsOf(made.slice(0, 8)));
  });

  it("has a cursor that continues exactly where the page ended, also later", {
    meta: { proves: ["decision.sync.cursor"] },
  }, async () => {
    const collectionId = await createCollection();
    const made: DocumentView[] = [];
    for (let index = 0; index < 7; index += 1) made.push(await create({ collectionId }));
    const seen: string[] = [];
    let page = await editor.sync({ updatedSince: epoch, collectionId, limit: 3 });
    for (;;) {
      seen.push(...idsOf(page.data));
      if (!page.hasMore) break;
      page = await editor.sync({ cursor: page.nextCursor, collectionId, limit: 3 });
    }
    expect(seen).toEqual(idsOf(made));
    const later = await create({ collectionId });
    page = await editor.sync({ cursor: page.nextCursor, collectionId });
    expect(idsOf(page.data)).toEqual([later.id]);
    page = await editor.sync({ cursor: page.nextCursor, collectionId });
    expect(page).toMatchObject({ data: [], hasMore: false });
  });
});

describe("a sync beside writers", () => {
  it("by updatedSince loses nothing while a writer keeps editing", {
    meta: { proves: ["decision.sync.commit-order", "decision.sync.ties"] },
  }, async () => {
    const collectionId = await createCollection();
    const still: DocumentView[] = [];
    const edited: DocumentView[] = [];
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        (index % 3 === 0 ? edited : still).push(await create({ collectionId, title: `S${index}` }));
      }),
    );
    let writing = true;
    const write = async (offset: number): Promise<void> => {
      for (let count = offset; writing; count += 1) {
        const { id } = edited[count % edited.length] ?? still[0] ?? { id: "" };
        await editor.update(id, { title: `edit ${offset} ${count}` });
      }
    };
    const writers = [write(0), write(7)];
    const seen: SyncRow[] = [];
    let from = epoch;
    try {
      for (let count = 0; count < 400; count += 1) {
        const page = await editor.sync({ updatedSince: from, collectionId, limit: 3 });
        seen.push(...page.data);
        const last = page.data.at(-1);
        if (last !== undefined) from = timeOfRow(last);
        const stillSeen = idsOf(seen).filter((id) => idsOf(still).includes(id)).length;
        if (stillSeen >= still.length && count > 30) writing = false;
        if (!writing && !page.hasMore) break;
      }
    } finally {
      // Writers that nobody stops keep the process busy for ever.
      writing = false;
    }
    await Promise.all(writers);
    seen.push(...(await readAllRows(editor, from, 3, { collectionId })));
    for (const { id } of still) expect(seen.filter((row) => row.id === id)).toHaveLength(1);
    for (const { id } of edited) expect(seen.findLast((row) => row.id === id)).toEqual(await editor.get(id));
  });

  it("does not miss a slow transaction that commits late", {
    meta: { proves: ["decision.sync.commit-order"] },
  }, async () => {
    const collectionId = await createCollection();
    const slow = await create({ collectionId });
    const fast = await create({ collectionId });
    const { teamId } = world;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: stamped, resolve: stamp } = Promise.withResolvers<void>();
    // Takes the team's clock and does not commit yet.
    const late = test.database.transaction(async (tx) => {
      await tx.rows(sql`UPDATE team_clocks SET at = at + interval '1 ms' WHERE "teamId" = ${teamId}::uuid`);
      await tx.rows(sql`UPDATE documents SET title = 'late', "updatedAt" = (SELECT at FROM team_clocks WHERE "teamId" = ${teamId}::uuid)
        WHERE "teamId" = ${teamId}::uuid AND id = ${slow.id}::uuid`);
      stamp();
      await held;
    });
    await stamped;
    const quick = editor.update(fast.id, { title: "quick" });
    expect(await syncSince(fast.updatedAt, { collectionId })).toEqual([]);
    release();
    await late;
    await quick;
    expect(idsOf(await syncSince(fast.updatedAt, { collectionId }))).toEqual([slow.id, fast.id]);
  });
});
