import { callerOf, outcomeOf, unknownId } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const createCollection = async (name: string): Promise<string> => (await editor.createCollection({ name })).id;

describe("moving a document", () => {
  it("parentDocumentId moves it below another document, and null to the top", {
    meta: { proves: ["decision.documents.moves", "document.field.parent-document-id"] },
  }, async () => {
    const parent = await editor.create();
    const child = await editor.create();
    const moved = await editor.update(child.id, { parentDocumentId: parent.id });
    expect(moved.parentDocumentId).toBe(parent.id);
    expect(await editor.listIds({ parentDocumentId: parent.id })).toEqual([child.id]);
    expect((await editor.update(child.id, { parentDocumentId: null })).parentDocumentId).toBeNull();
  });

  it("collectionId moves it with everything below", {
    meta: { proves: ["decision.documents.moves", "document.field.collection-id"] },
  }, async () => {
    const collectionId = await createCollection("Target");
    const root = await editor.create();
    const child = await editor.create({ parentDocumentId: root.id });
    const grandchild = await editor.create({ parentDocumentId: child.id });
    expect(await editor.update(root.id, { collectionId })).toMatchObject({ collectionId, revision: 2 });
    expect(await editor.get(child.id)).toMatchObject({ collectionId, parentDocumentId: root.id, revision: 2 });
    expect(await editor.get(grandchild.id)).toMatchObject({ collectionId, parentDocumentId: child.id, revision: 2 });
  });

  it("a parent in another collection takes the document there", async () => {
    const collectionId = await createCollection("There");
    const { id } = await editor.create();
    const parent = await editor.create({ collectionId });
    const moved = await editor.update(id, { parentDocumentId: parent.id });
    expect(moved).toMatchObject({ collectionId, parentDocumentId: parent.id });
  });

  it("a move to another collection leaves the parent behind", async () => {
    const collectionId = await createCollection("Without the parent");
    const parent = await editor.create();
    const { id } = await editor.create({ parentDocumentId: parent.id });
    expect(await editor.update(id, { collectionId })).toMatchObject({ collectionId, parentDocumentId: null });
  });

  it("a parent outside of the collection of the move is refused", async () => {
    const collectionId = await createCollection("Elsewhere");
    const parent = await editor.create();
    const { id } = await editor.create();
    await expect(editor.update(id, { collectionId, parentDocumentId: parent.id })).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "parentDocumentId" }],
    });
  });

  it("a hidden place answers as if it did not exist", {
    meta: { proves: ["decision.api.hidden", "decision.api.uuid-unknown"] },
  }, async () => {
    const { collections, documents } = world;
    const { id } = await editor.create();
    for (const collectionId of [unknownId, collections.vault, collections.foreign]) {
      await expect(editor.update(id, { collectionId })).rejects.toMatchObject({
        code: "not_found",
        message: "Collection not found",
        details: undefined,
      });
    }
    for (const parentDocumentId of [unknownId, documents.secret.id, documents.foreign.id, documents.trashed.id]) {
      await expect(editor.update(id, { parentDocumentId })).rejects.toMatchObject({
        code: "not_found",
        message: "Document not found",
        details: undefined,
      });
    }
  });

  it("a collection that the caller may only read takes no document", async () => {
    const member = callerOf(world, world.people.member);
    const { id } = await member.create();
    const move = member.update(id, { collectionId: world.collections.readable });
    await expect(move).rejects.toMatchObject({ code: "forbidden" });
  });

  it("documents below that the caller may not edit stay, and move up to the place that was left", async () => {
    const target = await createCollection("For some");
    const { open } = world.collections;
    const top = await editor.create();
    const root = await editor.create({ parentDocumentId: top.id });
    const kept = await editor.create({ parentDocumentId: root.id });
    const key = await world.key(world.people.editor, ["read", "write"], {
      restrictions: { collections: { [open]: "write", [target]: "write" }, documents: { [kept.id]: "read" } },
    });
    await callerOf(world, key).update(root.id, { collectionId: target });
    expect(await editor.get(kept.id)).toMatchObject({ collectionId: open, parentDocumentId: top.id });
  });
});

describe("cycles", () => {
  it("a document cannot move below itself, at any depth", {
    meta: { proves: ["decision.documents.cycle"] },
  }, async () => {
    const root = await editor.create();
    const chain = [root];
    for (let depth = 0; depth < 5; depth += 1) {
      chain.push(await editor.create({ parentDocumentId: chain.at(-1)?.id }));
    }
    for (const below of chain) {
      await expect(editor.update(root.id, { parentDocumentId: below.id })).rejects.toMatchObject({
        code: "conflict",
        details: [{ path: "parentDocumentId" }],
      });
    }
    expect(await editor.get(root.id)).toEqual(root);
  });

  it("one of two simultaneous moves that would make a cycle is refused", {
    meta: { proves: ["decision.documents.cycle"] },
  }, async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await editor.create();
      const second = await editor.create();
      const outcomes = await Promise.all([
        outcomeOf(editor.update(first.id, { parentDocumentId: second.id })),
        outcomeOf(editor.update(second.id, { parentDocumentId: first.id })),
      ]);
      expect(outcomes.sort()).toEqual(["conflict", "done"]);
      const parents = [(await editor.get(first.id)).parentDocumentId, (await editor.get(second.id)).parentDocumentId];
      expect(parents.filter((parent) => parent === null)).toHaveLength(1);
    }
  });

  it("nine simultaneous moves of three documents never make a cycle", {
    meta: { proves: ["decision.documents.cycle"] },
  }, async () => {
    const trio = [await editor.create(), await editor.create(), await editor.create()];
    const pairs = trio.flatMap((from) => trio.map((to) => [from.id, to.id] as const));
    await Promise.all(pairs.map(([id, parentDocumentId]) => outcomeOf(editor.update(id, { parentDocumentId }))));
    const parents = new Map<string, string | null>();
    for (const { id } of trio) parents.set(id, (await editor.get(id)).parentDocumentId);
    for (const { id } of trio) {
      const seen = new Set<string>();
      for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) {
        expect(seen.has(at)).toBe(false);
        seen.add(at);
      }
    }
  });
});
