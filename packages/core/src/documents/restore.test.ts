import { callerOf, outcomeOf, unknownId } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const create = (input: object = {}): Promise<DocumentView> => editor.create({ publish: true, ...input });

type Family = { readonly root: DocumentView; readonly child: DocumentView; readonly grandchild: DocumentView };

/** Creates a document with a child and a grandchild. */
async function createFamily(): Promise<Family> {
  const root = await create({ title: "Root" });
  const child = await create({ title: "Child", parentDocumentId: root.id });
  const grandchild = await create({ title: "Grandchild", parentDocumentId: child.id });
  return { root, child, grandchild };
}

describe("restoring a document", () => {
  it("brings it back to its collection as it was", {
    meta: { proves: ["documents.restore", "documents.state.restore", "decision.documents.restore"] },
  }, async () => {
    const parent = await create();
    const document = await create({ parentDocumentId: parent.id, tags: ["kept"] });
    await editor.delete(document.id);
    expect(await editor.restore(document.id)).toEqual({ id: document.id, status: "restored" });
    const { updatedAt, ...rest } = await editor.get(document.id);
    expect(rest).toEqual({ ...document, revision: 3, updatedAt: undefined });
    expect(updatedAt > document.updatedAt).toBe(true);
  });

  it("leaves a published document published and a draft a draft", {
    meta: { proves: ["decision.documents.restore"] },
  }, async () => {
    for (const publish of [true, false]) {
      const document = await create({ publish });
      await editor.delete(document.id);
      await editor.restore(document.id);
      expect((await editor.get(document.id)).publishedAt).toBe(document.publishedAt);
    }
  });

  it("is refused for a document that is not in the trash and changes nothing, so that a repeat is safe", {
    meta: {
      proves: [
        "documents.state.restore-repeat",
        "errors.restore-not-in-trash",
        "decision.documents.restore",
        "decision.api.code.not-found",
      ],
    },
  }, async () => {
    const { id } = await create();
    await editor.delete(id);
    await editor.restore(id);
    const before = await editor.get(id);
    for (let repeat = 0; repeat < 3; repeat += 1) {
      await expect(editor.restore(id)).rejects.toMatchObject({ code: "not_in_trash" });
    }
    expect(await editor.get(id)).toEqual(before);
    await expect(editor.restore(unknownId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("succeeds once when two callers restore it at the same time", {
    meta: { proves: ["documents.state.restore-repeat"] },
  }, async () => {
    const { id } = await create();
    await editor.delete(id);
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(editor.restore(id))));
    expect(outcomes.sort()).toEqual(["done", "not_in_trash"]);
    expect((await editor.get(id)).revision).toBe(3);
  });

  it("needs another collection while its own is archived", {
    meta: { proves: ["decision.documents.restore-archived-collection"] },
  }, async () => {
    const collection = await editor.createCollection({ name: "Filed" });
    const { id } = await create({ collectionId: collection.id });
    await editor.delete(id);
    await editor.archiveCollection(collection.id);
    await expect(editor.restore(id)).rejects.toMatchObject({ code: "conflict" });
    const { open } = world.collections;
    await editor.restore(id, { collectionId: open });
    expect((await editor.get(id)).collectionId).toBe(open);
  });

  it("keeps the document archived", async () => {
    const { id } = await create();
    await editor.archive(id);
    await editor.delete(id);
    await editor.restore(id);
    expect((await editor.get(id)).archivedAt).not.toBeNull();
  });
});

describe("restoring a subtree", () => {
  it("a delete takes the whole subtree as one batch, which its root brings back", {
    meta: { proves: ["decision.documents.delete-subtree"] },
  }, async () => {
    const { root, child, grandchild } = await createFamily();
    await editor.delete(root.id);
    for (const { id } of [root, child, grandchild]) {
      expect(await outcomeOf(editor.get(id))).toBe("not_found");
      expect((await editor.get(id, { deleted: true })).revision).toBe(2);
    }
    await editor.restore(root.id);
    expect((await editor.get(child.id)).parentDocumentId).toBe(root.id);
    expect((await editor.get(grandchild.id)).parentDocumentId).toBe(child.id);
  });

  it("documents that were in the trash before the batch stay there", {
    meta: { proves: ["decision.documents.delete-subtree"] },
  }, async () => {
    const { root, child, grandchild } = await createFamily();
    await editor.delete(grandchild.id);
    await editor.delete(root.id);
    await editor.restore(root.id);
    expect(await outcomeOf(editor.get(child.id))).toBe("done");
    expect(await outcomeOf(editor.get(grandchild.id))).toBe("not_found");
  });

  it("a child that is restored by itself leaves its trashed parent", {
    meta: { proves: ["decision.documents.delete-subtree", "decision.documents.restore"] },
  }, async () => {
    const { root, child, grandchild } = await createFamily();
    await editor.delete(root.id);
    await editor.restore(child.id);
    expect((await editor.get(child.id)).parentDocumentId).toBeNull();
    expect(await outcomeOf(editor.get(root.id))).toBe("not_found");
    expect(await outcomeOf(editor.get(grandchild.id))).toBe("not_found");
    await editor.restore(root.id);
    expect((await editor.get(child.id)).parentDocumentId).toBeNull();
    expect((await editor.get(grandchild.id)).parentDocumentId).toBe(child.id);
  });

  it("a document whose parent was trashed meanwhile comes back at the top", {
    meta: { proves: ["decision.documents.restore"] },
  }, async () => {
    const { root, child } = await createFamily();
    await editor.delete(child.id);
    await editor.delete(root.id);
    await editor.restore(child.id);
    expect((await editor.get(child.id)).parentDocumentId).toBeNull();
  });
});
