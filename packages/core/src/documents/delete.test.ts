import { callerOf, outcomeOf, type TestCaller, unknownId } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);
const member = callerOf(world, world.people.member);
const viewer = callerOf(world, world.people.viewer);

const create = (input: object = {}, by = editor): Promise<DocumentView> => by.create({ publish: true, ...input });

describe("the trash", () => {
  it("a deleted document moves to the trash and leaves the lists", {
    meta: {
      proves: [
        "documents.delete",
        "documents.state.delete",
        "decision.documents.delete-answer",
        "document.field.deleted-at",
        "documents.state.timestamps",
      ],
    },
  }, async () => {
    const document = await create();
    const deleted = await editor.delete(document.id);
    const trashed = await editor.get(document.id, { deleted: true });
    expect(deleted).toEqual({ id: document.id, status: "deleted", deletedAt: trashed.deletedAt });
    expect(trashed).toMatchObject({
      revision: 2,
      updatedAt: deleted.deletedAt,
      publishedAt: document.publishedAt,
    });
    expect(await editor.listIds()).not.toContain(document.id);
  });

  it("a trashed or unknown document cannot be deleted", {
    meta: { proves: ["decision.documents.delete-answer"] },
  }, async () => {
    for (const id of [world.documents.trashed.id, unknownId]) {
      await expect(editor.delete(id)).rejects.toMatchObject({ code: "not_found", message: "Document not found" });
    }
  });

  it("every other operation answers as if a trashed document did not exist", {
    meta: { proves: ["decision.documents.read-trash"] },
  }, async () => {
    const { id } = world.documents.trashed;
    for (const call of [
      () => editor.get(id),
      () => editor.get(id, { deleted: false }),
      () => editor.update(id, { title: "x" }),
      () => editor.archive(id),
      () => editor.unarchive(id),
      () => editor.edit(id, { op: "append", markdown: "x" }),
      () => editor.revisions(id),
      () => editor.revision(id, 1),
      () => editor.restoreRevision(id, 1),
      () => editor.undoRevision(id, 1),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "not_found", message: "Document not found" });
    }
  });

  it("a read with `deleted` finds a trashed document for callers who could restore it, and active documents too", {
    meta: { proves: ["decision.documents.read-trash"] },
  }, async () => {
    const { id } = await create({}, member);
    const read = (by: TestCaller, which = id) => outcomeOf(by.get(which, { deleted: true }));
    expect(await read(editor)).toBe("done");
    await editor.delete(id);
    expect(await read(editor)).toBe("done");
    expect(await read(member)).toBe("done");
    expect(await read(viewer)).toBe("not_found");
    const ofAnother = await create();
    await editor.delete(ofAnother.id);
    expect(await read(member, ofAnother.id)).toBe("not_found");
  });

  it("is listed with `deleted`, for callers who could restore", {
    meta: { proves: ["documents.state.trash-list", "documents.list.deleted"] },
  }, async () => {
    const { trashed, guide } = world.documents;
    const listed = await editor.listIds({ deleted: true });
    expect(listed).toContain(trashed.id);
    expect(listed).not.toContain(guide.id);
    expect(await viewer.listIds({ deleted: true })).toEqual([]);
    expect(await editor.listIds({ deleted: false })).not.toContain(trashed.id);
  });

  it("takes only what the caller may delete; the other documents below move up", async () => {
    const top = await create();
    const mine = await create({ parentDocumentId: top.id }, member);
    const theirs = await create({ parentDocumentId: mine.id });
    await member.delete(mine.id);
    expect(await editor.get(theirs.id)).toMatchObject({ parentDocumentId: top.id, deletedAt: null });
  });
});
