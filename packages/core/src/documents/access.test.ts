import { callerOf, outcomeOf, type TestCaller } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const admin = callerOf(world, world.people.admin);
const editor = callerOf(world, world.people.editor);
const member = callerOf(world, world.people.member);
const viewer = callerOf(world, world.people.viewer);

describe("the access of the built-in groups", () => {
  it("viewers read and change nothing", { meta: { proves: ["decision.access.groups"] } }, async () => {
    const { documents, collections } = world;
    const { id } = documents.guide;
    expect(await viewer.get(id)).toMatchObject({ id });
    const refused = [
      viewer.create({ collectionId: collections.open }),
      viewer.update(id, { title: "Mine" }),
      viewer.delete(id),
      viewer.archive(id),
      viewer.edit(id, { op: "append", markdown: "x" }),
      viewer.createCollection({ name: "Mine" }),
      viewer.updateCollection(collections.open, { name: "Mine" }),
      viewer.archiveCollection(collections.open),
      viewer.createTag({ name: "mine" }),
    ];
    expect(await Promise.all(refused.map(outcomeOf))).toEqual(refused.map(() => "forbidden"));
  });

  it("members create and edit, but set up no collections", {
    meta: { proves: ["decision.access.groups"] },
  }, async () => {
    const { collections, documents } = world;
    expect(await member.update(documents.child.id, { emoji: "🌱" })).toMatchObject({ emoji: "🌱" });
    expect(await outcomeOf(member.createCollection({ name: "Mine" }))).toBe("forbidden");
    expect(await outcomeOf(member.updateCollection(collections.open, { name: "Mine" }))).toBe("forbidden");
  });

  it("members publish and delete only what they created", {
    meta: { proves: ["decision.access.members-own"] },
  }, async () => {
    const own = await member.create();
    const others = await editor.create();
    expect((await member.update(own.id, { published: true })).publishedAt).not.toBeNull();
    expect((await member.archive(own.id)).archivedAt).not.toBeNull();
    expect((await member.unarchive(own.id)).archivedAt).toBeNull();
    expect(await outcomeOf(member.delete(own.id))).toBe("done");
    expect(await outcomeOf(member.restore(own.id))).toBe("done");
    expect(await outcomeOf(member.update(others.id, { published: true }))).toBe("forbidden");
    expect(await outcomeOf(member.delete(others.id))).toBe("forbidden");
    expect(await outcomeOf(member.archive(others.id))).toBe("forbidden");
  });

  it("members may send the state that the document of somebody else already has", {
    meta: { proves: ["decision.documents.no-op"] },
  }, async () => {
    const draft = await editor.create({ title: "Same", text: "Same.", tags: ["same"] });
    const published = await editor.create({ title: "Same", text: "Same.", tags: ["same"], publish: true });
    for (const before of [draft, published]) {
      const same = {
        title: "Same",
        text: "Same.",
        tags: ["Same"],
        published: before.publishedAt !== null,
        collectionId: before.collectionId,
        parentDocumentId: null,
        emoji: null,
        sortOrder: before.sortOrder,
        fullWidth: before.fullWidth,
      };
      for (const input of [{}, { published: same.published }, same]) {
        expect(await member.update(before.id, input)).toEqual(before);
      }
      expect(await outcomeOf(member.update(before.id, { published: !same.published }))).toBe("forbidden");
    }
  });

  it("editors publish and delete what others created", { meta: { proves: ["decision.access.groups"] } }, async () => {
    const others = await member.create();
    expect((await editor.update(others.id, { published: true })).publishedAt).not.toBeNull();
    expect(await outcomeOf(editor.delete(others.id))).toBe("done");
  });
});

describe("the access to a collection", () => {
  it("a grant to a group raises the default access", {
    meta: { proves: ["decision.access.collection"] },
  }, async () => {
    const collectionId = world.collections.readable;
    expect(await outcomeOf(member.create({ collectionId }))).toBe("forbidden");
    expect(await outcomeOf(editor.create({ collectionId }))).toBe("done");
  });

  it("a grant to a user raises the default access", { meta: { proves: ["decision.access.collection"] } }, async () => {
    const collectionId = world.collections.granted;
    expect(await viewer.getCollection(collectionId)).toMatchObject({ id: collectionId });
    expect(await outcomeOf(editor.getCollection(collectionId))).toBe("not_found");
    expect(await outcomeOf(member.create({ collectionId }))).toBe("done");
    expect(await outcomeOf(editor.create({ collectionId }))).toBe("not_found");
  });

  it("a grant of write to a viewer adds no right that the group lacks", {
    meta: { proves: ["decision.access.collection"] },
  }, async () => {
    await world.grant(world.collections.readable, world.people.viewer.id, "write");
    expect(await outcomeOf(viewer.create({ collectionId: world.collections.readable }))).toBe("forbidden");
  });

  it("the highest of default and grants wins, so a grant never takes access away", {
    meta: { proves: ["decision.access.collection"] },
  }, async () => {
    await world.grant(world.collections.open, world.people.member.id, "read");
    expect(await outcomeOf(member.create({ collectionId: world.collections.open }))).toBe("done");
  });

  it("the whole team may write in a new collection", { meta: { proves: ["decision.access.collection"] } }, async () => {
    const collection = await editor.createCollection({ name: "Fresh" });
    expect(await outcomeOf(member.create({ collectionId: collection.id }))).toBe("done");
  });
});

describe("what a caller may see", () => {
  it("a draft is seen by its author and by those who may edit in its collection", {
    meta: { proves: ["decision.documents.draft-visibility"] },
  }, async () => {
    const { documents } = world;
    const sees = async (who: TestCaller, document: DocumentView): Promise<boolean> => {
      const outcome = await outcomeOf(who.get(document.id));
      const isListed = (await who.listIds({ status: ["draft"] })).includes(document.id);
      expect(outcome).toBe(isListed ? "done" : "not_found");
      return isListed;
    };
    expect(await sees(admin, documents.memberDraft)).toBe(true);
    expect(await sees(editor, documents.memberDraft)).toBe(true);
    expect(await sees(member, documents.memberDraft)).toBe(true);
    expect(await sees(viewer, documents.memberDraft)).toBe(false);
    expect(await sees(editor, documents.adminDraft)).toBe(true);
    expect(await sees(member, documents.adminDraft)).toBe(false);
    const own = await member.create();
    await world.setDefaultAccess(world.collections.open, "read");
    expect(await sees(member, own)).toBe(true);
    await world.setDefaultAccess(world.collections.open, "write");
  });

  it("teams see nothing of each other", { meta: { proves: ["service.workspace"] } }, async () => {
    const outsider = callerOf(world, world.people.outsider);
    const page = await outsider.list();
    expect(page.data.map((row) => row.id)).toEqual([world.documents.foreign.id]);
    expect(page.total).toBe(1);
    expect((await outsider.listCollections()).map((row) => row.id)).toEqual([world.collections.foreign]);
    expect(await outsider.listTags()).toEqual([]);
  });
});
