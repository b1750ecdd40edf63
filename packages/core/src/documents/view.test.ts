import { callerOf, createWorld, outcomeOf, type TestCaller, unknownId, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { operations } from "../index.ts";
import { tasks } from "../threads/tasks.ts";
import { ThreadPool } from "../threads/thread-pool.ts";

let test: TestDatabase;
let world: World;
let admin: TestCaller;
let editor: TestCaller;
let viewer: TestCaller;
beforeAll(async () => {
  test = await testDatabase();
  world = await createWorld(test.database);
  admin = callerOf(world, await world.session(world.people.admin));
  editor = callerOf(world, await world.session(world.people.editor));
  viewer = callerOf(world, await world.session(world.people.viewer));
});
afterAll(() => test.drop());

const view = (caller: TestCaller, id: string, input: object = {}) =>
  caller.run(operations.viewDocument, { id, ...input });

describe("the view of a document", () => {
  it("has all that its page shows, and the body as HTML only", { meta: { proves: ["web.view"] } }, async () => {
    const top = await editor.create({ title: "Top", emoji: "⛰️", publish: true });
    const parent = await editor.create({ title: "Parent", parentDocumentId: top.id, publish: true });
    const { id } = await editor.create({
      title: "Viewed",
      text: "# A\n\nText.",
      parentDocumentId: parent.id,
      publish: true,
      tags: ["one"],
    });
    const child = await editor.create({ title: "Child", parentDocumentId: id });
    const answer = await view(editor, id);
    const { text: _text, ...whole } = await editor.get(id);
    expect(answer.document).toEqual(whole);
    expect(answer.html).toBe('<h1 id="a" dir="auto">A</h1>\n<p dir="auto">Text.</p>\n');
    expect(answer.collection).toMatchObject({ id: world.collections.open, name: "Open" });
    expect(answer.path).toEqual([
      { id: top.id, title: "Top", emoji: "⛰️" },
      { id: parent.id, title: "Parent", emoji: null },
    ]);
    const person = { id: world.people.editor.id, name: world.people.editor.name };
    expect([answer.createdBy, answer.lastModifiedBy]).toEqual([person, person]);
    expect(answer.children).toMatchObject({
      parentId: id,
      nextCursor: null,
      data: [{ id: child.id, state: "draft", hasChildren: false }],
    });
    expect(answer.restrictedTags).toEqual([]);
  });

  it("has other forms of the body on request", { meta: { proves: ["web.view"] } }, async () => {
    const { id } = await editor.create({ text: "Some *words*." });
    const answer = await view(editor, id, { include: ["text", "content", "markdown"] });
    expect(answer).not.toHaveProperty("html");
    const { document } = answer;
    expect(document).toMatchObject({ text: "Some words.", markdownText: "Some *words*.\n", content: { type: "doc" } });
    expect(await outcomeOf(view(editor, id, { include: ["all"] }))).toBe("validation_error");
  });

  it("shows restricted tags to those on their lists, and hides documents as if they did not exist", {
    meta: { proves: ["web.view", "decision.api.hidden"] },
  }, async () => {
    const { guide, child, secret } = world.documents;
    expect((await view(admin, guide.id)).restrictedTags).toMatchObject([{ id: world.tags.hidden, name: "hidden" }]);
    expect((await view(editor, guide.id)).restrictedTags).toEqual([]);
    expect((await view(viewer, child.id)).path).toMatchObject([{ id: guide.id }]);
    for (const id of [secret.id, world.documents.foreign.id, unknownId]) {
      expect(await outcomeOf(view(editor, id))).toBe("not_found");
    }
    const hidden = await editor.create({ title: "A draft" });
    const below = await editor.create({ title: "Below", parentDocumentId: hidden.id, publish: true });
    expect(await view(viewer, below.id)).toMatchObject({ path: [], document: { parentDocumentId: null } });
  });
});

describe("the abilities on a document", () => {
  const none = {
    edit: false,
    publish: false,
    delete: false,
    archive: false,
    unarchive: false,
    restore: false,
    destroy: false,
    createChild: false,
  };
  const active = { ...none, edit: true, publish: true, delete: true, archive: true, createChild: true };

  it("are those of the policy for each user", { meta: { proves: ["web.abilities"] } }, async () => {
    const { guide, memberDraft } = world.documents;
    const member = callerOf(world, await world.session(world.people.member));
    expect((await view(admin, guide.id)).abilities).toEqual(active);
    expect((await view(editor, guide.id)).abilities).toEqual(active);
    expect((await view(member, guide.id)).abilities).toEqual({ ...none, edit: true, createChild: true });
    expect((await view(member, memberDraft.id)).abilities).toEqual(active);
    expect((await view(viewer, guide.id)).abilities).toEqual(none);
  });

  it("depend on its state, in the archive and in the trash", { meta: { proves: ["web.abilities"] } }, async () => {
    const { id } = await editor.create({ publish: true });
    const child = await editor.create({ parentDocumentId: id, publish: true });
    await editor.archive(id);
    const archived = await view(editor, id);
    expect(archived.abilities).toEqual({ ...active, archive: false, unarchive: true, createChild: false });
    expect(archived.children.data).toMatchObject([{ id: child.id, state: "archived" }]);
    await editor.unarchive(id);
    await editor.delete(id);
    const trashed = await view(editor, id);
    expect(trashed.document.deletedAt).not.toBeNull();
    expect(trashed.abilities).toEqual({ ...none, restore: true });
    expect(trashed.children.data).toEqual([]);
    expect((await view(admin, id)).abilities).toEqual({ ...none, restore: true, destroy: true });
    expect(await outcomeOf(view(viewer, id))).toBe("not_found");
  });
});

describe("the HTML of a document", () => {
  let inThreads: () => number;
  let renderings: () => number;
  beforeEach(() => {
    const here = vi.spyOn(tasks, "articleHtml");
    const pooled = vi.spyOn(ThreadPool.prototype, "run");
    inThreads = () => pooled.mock.calls.filter(([, name]) => name === "articleHtml").length;
    renderings = () => here.mock.calls.length + inThreads();
  });
  afterEach(() => vi.restoreAllMocks());

  it("is of the current revision after each change, rendered once for all readers", {
    meta: { proves: ["web.view.html"] },
  }, async () => {
    const { id } = await editor.create({ text: "First.", publish: true });
    const versions = [
      ["First.", editor],
      ["Second.", viewer],
      ["Third.", editor],
    ] as const;
    for (const [index, [text, caller]] of versions.entries()) {
      if (text !== "First.") await editor.update(id, { text });
      for (const reader of [caller, viewer, caller]) {
        expect((await view(reader, id)).html).toBe(`<p dir="auto">${text}</p>\n`);
      }
      expect(renderings()).toBe(index + 1);
    }
  });

  it("is not shown from the cache to a user who may not read the document any more", {
    meta: { proves: ["web.view.html"] },
  }, async () => {
    const { id } = await editor.create({ text: "Shown.", publish: true });
    expect((await view(viewer, id)).html).toContain("Shown.");
    await editor.update(id, { published: false });
    expect(await outcomeOf(view(viewer, id))).toBe("not_found");
    expect(renderings()).toBe(1);
    expect((await view(editor, id)).html).toContain("Shown.");
  });

  it("of a large document is rendered in a thread, once for simultaneous readers", {
    meta: { proves: ["web.view.html"] },
  }, async () => {
    const text = "Words of a long document.\n\n".repeat(4_000);
    const { id } = await editor.create({ text, publish: true });
    const answers = await Promise.all(Array.from({ length: 5 }, () => view(viewer, id)));
    for (const { html } of answers) expect(html?.match(/<p /g)).toHaveLength(4_000);
    expect([inThreads(), renderings()]).toEqual([1, 1]);
  });
});
