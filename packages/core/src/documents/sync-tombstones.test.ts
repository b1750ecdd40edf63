import { callerOf, readAllRows, type SyncRow, type TestCaller } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const isTombstone = (row: SyncRow) => "tombstone" in row;
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);
const create = (input: object = {}): Promise<DocumentView> => editor.create({ publish: true, ...input });
const createCollection = async (): Promise<string> => (await editor.createCollection({ name: "Synced" })).id;
const syncSince = async (updatedSince: string, more: object = {}, by = editor): Promise<readonly SyncRow[]> =>
  (await by.sync({ updatedSince, ...more })).data;

describe("tombstones", () => {
  /** Returns the rows that a change leaves for a caller. */
  async function rowsOf(
    change: () => Promise<unknown>,
    by: TestCaller,
    more: object = {},
  ): Promise<readonly SyncRow[]> {
    const mark = await create();
    await change();
    return syncSince(mark.updatedAt, { includeDeleted: true, ...more }, by);
  }
  const tombstoneOf = ({ id }: DocumentView) => ({ id, deletedAt: expect.any(String), tombstone: true });

  it("a trashed document leaves one in its place of the order", {
    meta: { proves: ["decision.sync.tombstones"] },
  }, async () => {
    const document = await create();
    const rows = await rowsOf(() => editor.delete(document.id), callerOf(world, world.people.viewer));
    expect(rows).toEqual([tombstoneOf(document)]);
  });

  it("an archived document leaves one for itself and each document below", {
    meta: { proves: ["decision.sync.tombstones"] },
  }, async () => {
    const parent = await create();
    const child = await create({ parentDocumentId: parent.id });
    const rows = await rowsOf(() => editor.archive(parent.id), editor);
    expect(idsOf(rows).sort()).toEqual([parent.id, child.id].sort());
    expect(rows.every(isTombstone)).toBe(true);
  });

  it("an archived collection leaves one for each document", {
    meta: { proves: ["decision.sync.tombstones"] },
  }, async () => {
    const collectionId = await createCollection();
    const document = await create({ collectionId });
    const rows = await rowsOf(() => editor.archiveCollection(collectionId), editor);
    expect(rows).toEqual([tombstoneOf(document)]);
  });

  it("a document that moves out of sight leaves one for callers who could see its old place", {
    meta: { proves: ["decision.sync.tombstones"] },
  }, async () => {
    const admin = callerOf(world, world.people.admin);
    const document = await create();
    const mark = await create();
    await admin.update(document.id, { collectionId: world.collections.vault });
    const rows = (by: TestCaller) => syncSince(mark.updatedAt, { includeDeleted: true }, by);
    expect(await rows(callerOf(world, world.people.viewer))).toEqual([tombstoneOf(document)]);
    expect((await rows(admin)).filter(isTombstone)).toEqual([]);
    expect(idsOf(await rows(admin))).toEqual([document.id]);
  });

  it("an unpublished document leaves one for callers who do not see the draft", {
    meta: { proves: ["decision.sync.tombstones"] },
  }, async () => {
    const document = await create();
    const unpublish = () => editor.update(document.id, { published: false });
    expect(await rowsOf(unpublish, callerOf(world, world.people.viewer))).toEqual([tombstoneOf(document)]);
    await editor.update(document.id, { published: true });
    const rows = await rowsOf(unpublish, editor);
    expect(rows.map((row) => [row.id, isTombstone(row)])).toEqual([[document.id, false]]);
  });

  it("a sync of one collection has one for a document that left that collection", {
    meta: { proves: ["decision.sync.tombstones"] },
  }, async () => {
    const collectionId = await createCollection();
    const target = await createCollection();
    const document = await create({ collectionId });
    const move = () => editor.update(document.id, { collectionId: target });
    const rows = await rowsOf(move, editor, { collectionId });
    expect(rows.map((row) => [row.id, isTombstone(row)])).toEqual([[document.id, true]]);
  });

  it("a caller who never could see the document gets none", {
    meta: { proves: ["decision.sync.tombstones", "decision.api.hidden"] },
  }, async () => {
    const admin = callerOf(world, world.people.admin);
    const { vault, open } = world.collections;
    const secret = await admin.create({ collectionId: vault, publish: true });
    expect(await rowsOf(() => admin.delete(secret.id), editor)).toEqual([]);
    const draft = await create({ publish: false });
    expect(await rowsOf(() => editor.delete(draft.id), callerOf(world, world.people.viewer))).toEqual([]);
    const document = await create();
    const ofOutsider = await rowsOf(() => editor.delete(document.id), callerOf(world, world.people.outsider));
    expect(ofOutsider.filter(isTombstone)).toEqual([]);
    const key = await world.key(world.people.editor, ["read"], {
      restrictions: { collections: { [open]: "read" }, documents: { [(await create()).id]: "none" } },
    });
    const elsewhere = await create({ collectionId: await createCollection() });
    const rows = await rowsOf(() => editor.delete(elsewhere.id), callerOf(world, key));
    expect(rows.filter(isTombstone)).toEqual([]);
  });

  it("a document that came back is a document again", { meta: { proves: ["decision.sync.tombstones"] } }, async () => {
    const { id } = await create();
    const rows = await rowsOf(async () => {
      await editor.delete(id);
      await editor.restore(id);
    }, editor);
    expect(rows.map((row) => [row.id, isTombstone(row)])).toEqual([[id, false]]);
  });

  it("a sync without includeDeleted has none", { meta: { proves: ["decision.sync.tombstones"] } }, async () => {
    const document = await create();
    await editor.delete(document.id);
    expect((await syncSince("1970-01-01T00:00:00Z", { limit: 1000 })).some(isTombstone)).toBe(false);
  });

  it("pages hold documents and tombstones in one order, ties included", {
    meta: { proves: ["decision.sync.ties"] },
  }, async () => {
    const collectionId = await createCollection();
    const start = await create();
    const made: DocumentView[] = [];
    for (let index = 0; index < 8; index += 1) made.push(await create({ collectionId }));
    const deleted = idsOf(made.filter((_, index) => [1, 3, 5].includes(index)));
    for (const id of deleted) await editor.delete(id);
    for (const limit of [1, 2, 3, 5, 100]) {
      const rows = await readAllRows(editor, start.updatedAt, limit, { includeDeleted: true, collectionId });
      expect(idsOf(rows.filter(isTombstone)), `limit ${limit}`).toEqual(deleted);
      expect(rows).toHaveLength(8);
    }
  });
});
