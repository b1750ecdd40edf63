import { callerOf } from "@kb/core/testing";
import { sql } from "@kb/db";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import { updateDocumentForAssistants } from "../assistants/update.ts";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const minute = 60_000;
const { test, world } = await testWorld({ clock });
const editor = callerOf(world, world.people.editor);
const admin = callerOf(world, world.people.admin);

const create = async (text: string): Promise<string> => (await editor.create({ title: "T", text })).id;
const bodyAt = async (id: string, revision: number): Promise<string> =>
  (await editor.revision(id, revision)).markdownText;
const numbers = async (id: string, paging: object = {}): Promise<number[]> =>
  (await editor.revisions(id, paging)).data.map((entry) => entry.revision);

describe("the history of a document", () => {
  it("shows each state with its author, kind of credential, time and Markdown, newest first", {
    meta: { proves: ["decision.documents.revisions"] },
  }, async () => {
    const id = await create("one");
    await admin.update(id, { text: "two" });
    clock.advance(minute);
    await editor.update(id, { title: "U", emoji: "🎈" });
    const { editor: author, admin: boss } = world.people;
    const { data, ...paging } = await editor.revisions(id);
    expect(paging).toEqual({ total: 3, limit: 25, offset: 0 });
    const shared = { credentialKind: "api_key", credentialName: "Everyday", createdAt: expect.any(String) };
    expect(data).toEqual([
      { revision: 3, title: "U", emoji: "🎈", author: { id: author.id, name: author.name }, ...shared },
      { revision: 2, title: "T", emoji: null, author: { id: boss.id, name: boss.name }, ...shared },
      { revision: 1, title: "T", emoji: null, author: { id: author.id, name: author.name }, ...shared },
    ]);
    expect([await bodyAt(id, 1), await bodyAt(id, 2), await bodyAt(id, 3)]).toEqual(["one\n", "two\n", "two\n"]);
    const times = data.map((entry) => Date.parse(entry.createdAt));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it("is paged", async () => {
    const id = await create("one");
    for (const text of ["two", "three", "four"]) {
      clock.advance(6 * minute);
      await editor.update(id, { text });
    }
    expect(await numbers(id, { limit: 2 })).toEqual([4, 3]);
    expect(await numbers(id, { limit: 2, offset: 2 })).toEqual([2, 1]);
    expect((await editor.revisions(id, { limit: 2, offset: 9 })).total).toBe(4);
    await expect(editor.revisions(id, { limit: 101 })).rejects.toMatchObject({ code: "validation_error" });
  });

  it("holds one revision for edits by one author within five minutes", {
    meta: { proves: ["decision.documents.revision-run"] },
  }, async () => {
    const id = await create("one");
    for (const text of ["two", "three", "four"]) {
      clock.advance(minute);
      await editor.update(id, { text });
    }
    expect(await numbers(id)).toEqual([4]);
    clock.advance(2 * minute + 1);
    await editor.update(id, { text: "five" });
    expect(await numbers(id)).toEqual([5, 4]);
    expect(await bodyAt(id, 4)).toBe("four\n");
  });

  it("begins a new revision when the same author uses another key, also one of the same name", {
    meta: { proves: ["decision.documents.revision-run"] },
  }, async () => {
    const id = await create("one");
    const other = callerOf(world, await world.key(world.people.editor, ["read", "write"]));
    await other.update(id, { text: "two" });
    clock.advance(minute);
    await other.update(id, { text: "three" });
    await editor.update(id, { text: "four" });
    await editor.update(id, { text: "five" });
    expect(await numbers(id)).toEqual([5, 3, 1]);
    expect(await bodyAt(id, 3)).toBe("three\n");
  });

  it("holds each body that an assistant writes whole as a revision of its own, between edits with the same key", {
    meta: { proves: ["decision.documents.revision-whole"] },
  }, async () => {
    const id = await create("one");
    const overwrite = (input: object) => editor.run(updateDocumentForAssistants, { id, ...input });
    await overwrite({ markdown: "two" });
    await editor.update(id, { text: "three" });
    await editor.update(id, { text: "four" });
    await overwrite({ markdown: "five" });
    await overwrite({ markdown: "six" });
    expect(await numbers(id)).toEqual([6, 5, 4, 2, 1]);
    await overwrite({ title: "U" });
    await overwrite({ title: "V" });
    expect(await numbers(id)).toEqual([8, 6, 5, 4, 2, 1]);
    expect(await bodyAt(id, 2)).toBe("two\n");
  });

  it("begins a new revision for another author", {
    meta: { proves: ["decision.documents.revision-run"] },
  }, async () => {
    const id = await create("one");
    await admin.update(id, { text: "two" });
    await editor.update(id, { text: "three" });
    expect(await numbers(id)).toEqual([3, 2, 1]);
  });

  it("holds no revision for changes that touch neither title, emoji nor body", {
    meta: { proves: ["decision.documents.revision-run"] },
  }, async () => {
    const id = await create("one");
    clock.advance(6 * minute);
    await admin.update(id, { tags: ["x"], published: true, sortOrder: 3 });
    expect((await editor.revisions(id)).total).toBe(1);
  });

  it("stores each distinct body once", { meta: { proves: ["decision.documents.revision-run"] } }, async () => {
    const id = await create("one");
    for (const text of ["two", "one", "two", "one"]) {
      clock.advance(6 * minute);
      await editor.update(id, { text });
    }
    const [stored] = await test.database.rows<{ bodies: number; revisions: number }>(sql`
      SELECT (SELECT count(*)::int FROM revision_bodies b WHERE b."teamId" = ${world.teamId}::uuid
          AND b."documentId" = ${id}::uuid) AS bodies,
        (SELECT count(*)::int FROM document_revisions r WHERE r."teamId" = ${world.teamId}::uuid
          AND r."documentId" = ${id}::uuid) AS revisions`);
    expect(stored).toEqual({ bodies: 2, revisions: 4 });
  });

  it("is readable for viewers, who restore nothing; an unknown revision does not exist", async () => {
    const id = await create("one");
    await editor.update(id, { published: true });
    const missing = { code: "not_found", message: "Revision not found" };
    await expect(editor.revision(id, 9)).rejects.toMatchObject(missing);
    await expect(editor.restoreRevision(id, 9)).rejects.toMatchObject(missing);
    const viewer = callerOf(world, world.people.viewer);
    expect((await viewer.revisions(id)).total).toBe(1);
    await expect(viewer.restoreRevision(id, 1)).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("restoring a revision", () => {
  it("makes its title, emoji and body the current ones, as a new revision", {
    meta: { proves: ["decision.documents.revision-restore"] },
  }, async () => {
    const id = await create("# One\n\nbody {#x}");
    const whole = { format: "markdown", include: "content" };
    const original = await editor.get(id, whole);
    await admin.update(id, { title: "U", emoji: "🎈", text: "two", tags: ["kept"], sortOrder: 4 });
    const restored = await editor.restoreRevision(id, 1);
    expect(restored).toMatchObject({ title: "T", emoji: null, revision: 3, tags: ["kept"], sortOrder: 4 });
    const { markdownText, content } = await editor.get(id, whole);
    expect({ markdownText, content }).toEqual({ markdownText: original.markdownText, content: original.content });
    expect(await bodyAt(id, 2)).toBe("two\n");
  });

  it("stays undoable: the state before it is kept, and the next edit does not join it", {
    meta: { proves: ["decision.documents.revision-restore"] },
  }, async () => {
    const id = await create("one");
    clock.advance(6 * minute);
    await editor.update(id, { text: "two" });
    await editor.restoreRevision(id, 1);
    await editor.update(id, { text: "four" });
    expect(await numbers(id)).toEqual([4, 3, 2, 1]);
    expect([await bodyAt(id, 2), await bodyAt(id, 3)]).toEqual(["two\n", "one\n"]);
  });

  it("lets the search find its words again", async () => {
    const id = await create("quokkaword");
    await admin.update(id, { text: "nothing" });
    expect((await editor.search("quokkaword")).total).toBe(0);
    await editor.restoreRevision(id, 1);
    expect((await editor.search("quokkaword")).total).toBe(1);
  });
});
