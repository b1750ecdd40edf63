import { callerOf, outcomeOf, type Restrictions, type TestCaller } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import * as operations from "../operations.ts";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const epoch = "1970-01-01T00:00:00Z";
const create = (input: object = {}): Promise<DocumentView> => editor.create({ publish: true, ...input });

/** Creates a restricted key. */
async function keyOf(restrictions: Restrictions, who: "editor" | "member" = "editor"): Promise<TestCaller> {
  return callerOf(world, await world.key(world.people[who], ["read", "write"], { restrictions }));
}

/** Returns the caller's access to a document. The answers of a read, an edit and a list must agree. */
async function levelOf(by: TestCaller, id: string): Promise<"none" | "read" | "write"> {
  const read = await outcomeOf(by.get(id));
  const edit = await outcomeOf(by.previewEdit(id, { op: "append", markdown: "x" }));
  const { data, total } = await by.list({ limit: 100 });
  expect(data.some((row) => row.id === id)).toBe(read === "done");
  expect(total).toBe(data.length);
  if (edit === "done") {
    expect(read).toBe("done");
    return "write";
  }
  expect(edit).toBe(read === "done" ? "forbidden" : "not_found");
  return read === "done" ? "read" : "none";
}

describe("a restricted key", () => {
  it("without entries sees nothing at all", {
    meta: { proves: ["decision.access.restricted", "decision.access.restricted-views"] },
  }, async () => {
    const by = await keyOf({});
    expect(await by.list()).toMatchObject({ total: 0, data: [] });
    expect(await by.listCollections()).toEqual([]);
    expect(await by.listTags()).toEqual([]);
    expect((await by.search("guide")).total).toBe(0);
    expect((await by.sync({ updatedSince: epoch })).data).toEqual([]);
    expect(await outcomeOf(by.run(operations.getMe))).toBe("done");
  });

  it.each(["none", "read", "write"] as const)(
    "has exactly the level %s in a collection at that level",
    { meta: { proves: ["auth.restricted.collections"] } },
    async (level) => {
      const { open, readable } = world.collections;
      const { id } = await create();
      const by = await keyOf({ collections: { [open]: level } });
      expect(await levelOf(by, id)).toBe(level);
      expect(await outcomeOf(by.getCollection(open))).toBe(level === "none" ? "not_found" : "done");
      expect(await outcomeOf(by.getCollection(readable))).toBe("not_found");
      const created = await outcomeOf(by.create());
      expect(created).toBe({ none: "not_found", read: "forbidden", write: "done" }[level]);
    },
  );

  it.each([
    ["none", "read"],
    ["none", "write"],
    ["read", "none"],
    ["read", "write"],
    ["write", "none"],
    ["write", "read"],
  ] as const)(
    "in a collection at %s follows the entry %s of a document",
    { meta: { proves: ["auth.restricted.documents", "decision.access.restricted"] } },
    async (collection, document) => {
      const special = await create();
      const plain = await create();
      const by = await keyOf({
        collections: { [world.collections.open]: collection },
        documents: { [special.id]: document },
      });
      expect(await levelOf(by, special.id)).toBe(document);
      expect(await levelOf(by, plain.id)).toBe(collection);
    },
  );

  it("reaches a document by its entry without the collection", {
    meta: { proves: ["auth.restricted.documents"] },
  }, async () => {
    const special = await create();
    const by = await keyOf({ documents: { [special.id]: "write" } });
    expect(await levelOf(by, special.id)).toBe("write");
    expect(await by.listIds()).toEqual([special.id]);
    expect(await outcomeOf(by.getCollection(special.collectionId ?? ""))).toBe("not_found");
  });

  it("never has more access than its owner", { meta: { proves: ["decision.access.restricted"] } }, async () => {
    const { vault, readable } = world.collections;
    const { secret, adminDraft } = world.documents;
    // A key names what its owner may see; afterwards they may not any more.
    await world.setDefaultAccess(vault, "write");
    const by = await keyOf(
      { collections: { [vault]: "write", [readable]: "write" }, documents: { [secret.id]: "write" } },
      "member",
    );
    expect(await levelOf(by, secret.id)).toBe("write");
    await world.setDefaultAccess(vault, "none");
    expect(await levelOf(by, secret.id)).toBe("none");
    expect(await levelOf(by, adminDraft.id)).toBe("none");
    expect(await outcomeOf(by.create({ collectionId: readable }))).toBe("forbidden");
    expect(await outcomeOf(by.getCollection(vault))).toBe("not_found");
  });

  it("creates no collections", { meta: { proves: ["decision.access.restricted-views"] } }, async () => {
    const by = await keyOf({ collections: { [world.collections.open]: "write" } });
    expect(await outcomeOf(by.createCollection({ name: "Mine" }))).toBe("forbidden");
  });

  it("sees collections, counts, tags, hits and sync rows only through documents that it can read", {
    meta: { proves: ["decision.access.restricted-views"] },
  }, async () => {
    const { open, readable } = world.collections;
    const inside = await create({ title: "Marlu", tags: ["marlu"] });
    const denied = await create({ title: "Marlu", tags: ["marlu", "denied only"] });
    const outside = await create({ title: "Marlu", collectionId: readable, tags: ["marlu", "outside only"] });
    const by = await keyOf({ collections: { [open]: "read" }, documents: { [denied.id]: "none" } });
    const tags = await by.listTags();
    expect(tags.find((tag) => tag.name === "marlu")?.documentCount).toBe(1);
    const names = tags.map((tag) => tag.name);
    expect(names).not.toContain("denied only");
    expect(names).not.toContain("outside only");
    expect((await by.search("marlu")).total).toBe(1);
    expect(await by.listIds({ title: "marlu" })).toEqual([inside.id]);
    const synced = (await by.sync({ updatedSince: epoch })).data.map((row) => row.id);
    expect(synced).toContain(inside.id);
    expect(synced).not.toContain(denied.id);
    expect(synced).not.toContain(outside.id);
    expect((await by.listCollections()).map((row) => row.id)).toEqual([open]);
  });

  it("deletes and restores only where it writes", { meta: { proves: ["decision.access.restricted"] } }, async () => {
    const document = await create();
    const readOnly = await create();
    const by = await keyOf({
      collections: { [world.collections.open]: "write" },
      documents: { [readOnly.id]: "read" },
    });
    expect(await outcomeOf(by.delete(document.id))).toBe("done");
    expect(await outcomeOf(by.delete(readOnly.id))).toBe("forbidden");
    await editor.delete(readOnly.id);
    const trash = await by.listIds({ deleted: true });
    expect(trash).toContain(document.id);
    expect(trash).not.toContain(readOnly.id);
    expect(await outcomeOf(by.restore(readOnly.id))).toBe("not_found");
    expect(await outcomeOf(by.restore(document.id))).toBe("done");
  });

  it("leaves a child without access where its parent is deleted, and the child moves up", {
    meta: { proves: ["decision.access.restricted"] },
  }, async () => {
    const parent = await create();
    const child = await create({ parentDocumentId: parent.id });
    const by = await keyOf({
      collections: { [world.collections.open]: "write" },
      documents: { [child.id]: "none" },
    });
    await by.delete(parent.id);
    expect(await editor.get(child.id)).toMatchObject({ parentDocumentId: null, deletedAt: null });
  });

  it("needs write access at both ends of a move", { meta: { proves: ["decision.access.restricted"] } }, async () => {
    const { open, readable } = world.collections;
    const { id } = await create();
    const moveAt = async (level: Restrictions["collections"]) =>
      outcomeOf((await keyOf({ collections: { [open]: "write", ...level } })).update(id, { collectionId: readable }));
    expect(await moveAt({ [readable]: "read" })).toBe("forbidden");
    expect(await moveAt({})).toBe("not_found");
    expect(await moveAt({ [readable]: "write" })).toBe("done");
  });
});
