import { type TestClock, testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, listOf, openDesk } from "./desk.ts";

describe("document_history and restore_revision", () => {
  let clock: TestClock;
  let desk: Desk;
  let editor: Assistant;
  beforeAll(async () => {
    clock = testClock();
    desk = await openDesk({ clock });
    editor = await desk.as(desk.world.people.editor);
  });
  afterAll(() => desk.close());

  const make = async (input: object): Promise<string> => {
    const given = { collectionId: desk.world.collections.open, publish: true, ...input };
    return String((await editor.call("create_document", given)).data.id);
  };
  const done = async (name: string, input: object): Promise<Record<string, unknown>> => {
    const { code, text, data } = await editor.call(name, input);
    expect(code, text).toBeNull();
    return data;
  };

  it("a mistaken overwrite is undone in two calls: the list shows the state before it, which comes back whole", {
    meta: { proves: ["decision.tools.history", "decision.tools.restore-revision"] },
  }, async () => {
    const id = await make({ title: "Plan", markdown: "# Plan\n\nKeep *this*." });
    await done("update_document", { id, markdown: "Oops." });
    const { revisions, nextCursor } = await done("document_history", { id });
    const shared = {
      title: "Plan",
      author: desk.world.people.editor.name,
      credential: "Everyday",
      credentialKind: "api_key",
      updatedAt: expect.stringMatching(/Z$/),
    };
    expect([revisions, nextCursor]).toEqual([[2, 1].map((revision) => ({ revision, ...shared })), null]);
    expect(await done("restore_revision", { id, revision: 1, expectedRevision: 2 })).toEqual({ id, revision: 3 });
    expect(await done("get_document", { id })).toMatchObject({ revision: 3, markdown: "# Plan\n\nKeep *this*.\n" });
    expect((await done("document_history", { id, revision: 2 })).markdown).toBe("Oops.\n");
  });

  it("one revision is its Markdown with the diff to the next; the current one has none", {
    meta: { proves: ["decision.tools.history"] },
  }, async () => {
    const id = await make({ markdown: "first\n\nsecond" });
    await done("update_document", { id, markdown: "first\n\nthird" });
    const past = await done("document_history", { id, revision: 1 });
    expect(past).toMatchObject({
      id,
      revision: 1,
      markdown: "first\n\nsecond\n",
      totalChars: 14,
      nextRevision: 2,
      nextCursor: null,
      diff: expect.stringContaining("-second\n+third"),
    });
    const current = await done("document_history", { id, revision: 2 });
    expect(current).toMatchObject({ markdown: "first\n\nthird\n", nextRevision: null });
    expect(current).not.toHaveProperty("diff");
  });

  it("a long list and a long Markdown are continued by nextCursor, and a long diff is cut", async () => {
    const line = (index: number): string => `Line ${index} of a long text that goes on and on.\n\n`;
    const markdown = Array.from({ length: 3_000 }, (_, index) => line(index)).join("");
    const id = await make({ markdown });
    for (let count = 0; count < 29; count += 1) await done("update_document", { id, markdown: `Text ${count}` });
    const first = await done("document_history", { id });
    const second = await done("document_history", { id, cursor: first.nextCursor });
    const numbers = [first, second].flatMap((page) => listOf(page.revisions).map(({ revision }) => revision));
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => 30 - index));
    expect([listOf(first.revisions).length, second.nextCursor]).toEqual([25, null]);

    const { data } = await editor.call("document_history", { id, revision: 1 });
    expect(String(data.diff).length).toBeGreaterThan(50_000);
    expect(String(data.diff).length).toBeLessThan(70_000);
    const slices = [data];
    for (let { nextCursor } = data; nextCursor !== null; ) {
      const slice = await done("document_history", { id, revision: 1, cursor: nextCursor });
      expect(slice).not.toHaveProperty("diff");
      slices.push(slice);
      nextCursor = slice.nextCursor ?? null;
    }
    for (const slice of slices) expect(String(slice.markdown).length).toBeLessThanOrEqual(60_000);
    expect(slices.map((slice) => slice.markdown).join("")).toBe(`${markdown.trimEnd()}\n`);
    const other = await editor.call("document_history", { id, revision: 2, cursor: data.nextCursor });
    expect([other.code, other.text]).toEqual(["INVALID_PARAMETERS", expect.stringContaining("cursor")]);
  }, 60_000);

  it("a hidden document has no history, like an absent one, and a reader restores nothing", async () => {
    const { documents, people } = desk.world;
    const viewer = await desk.as(people.viewer);
    const hidden = { id: documents.secret.id };
    const absent = { id: "00000000-0000-4000-8000-000000000000" };
    for (const input of [{}, { revision: 1 }, { revision: 99 }]) {
      const one = await viewer.call("document_history", { ...hidden, ...input });
      const other = await viewer.call("document_history", { ...absent, ...input });
      expect([one.code, one.text]).toEqual(["NOT_FOUND", other.text]);
    }
    const restored = await editor.call("restore_revision", { ...hidden, revision: 1 });
    const other = await editor.call("restore_revision", { ...absent, revision: 1 });
    expect([restored.code, restored.text]).toEqual(["NOT_FOUND", other.text]);

    const id = await make({ markdown: "Readable.", collectionId: desk.world.collections.readable });
    const member = await desk.as(people.member);
    expect((await member.call("document_history", { id })).code).toBeNull();
    expect((await member.call("restore_revision", { id, revision: 1 })).code).toBe("FORBIDDEN");
  });

  it("an unknown revision, and a document that has changed since, are refused", {
    meta: { proves: ["decision.tools.restore-revision"] },
  }, async () => {
    const id = await make({ markdown: "one" });
    await done("update_document", { id, markdown: "two" });
    for (const tool of ["document_history", "restore_revision"]) {
      const { code, text } = await editor.call(tool, { id, revision: 9 });
      expect([code, text], tool).toEqual(["NOT_FOUND", expect.stringContaining("Revision not found")]);
    }
    const late = await editor.call("restore_revision", { id, revision: 1, expectedRevision: 1 });
    expect([late.code, late.result._meta]).toEqual([
      "REVISION_CONFLICT",
      expect.objectContaining({ currentRevision: 2 }),
    ]);
    expect((await done("get_document", { id })).markdown).toBe("two\n");
  });
});
