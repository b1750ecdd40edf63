import { type TestClock, testClock } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Assistant, type Desk, listOf, openDesk } from "./desk.ts";

const hour = 3_600_000;

describe("changes", () => {
  let clock: TestClock;
  let desk: Desk;
  let editor: Assistant;
  let admin: Assistant;
  let viewer: Assistant;
  beforeAll(async () => {
    clock = testClock();
    desk = await openDesk({ clock });
    const { people } = desk.world;
    editor = await desk.as(people.editor);
    admin = await desk.as(people.admin);
    viewer = await desk.as(people.viewer);
  });
  afterAll(() => desk.close());

  const make = async (assistant: Assistant, input: object): Promise<string> => {
    const given = { collection: "Open", publish: true, ...input };
    return String((await assistant.call("create_document", given)).data.id);
  };
  /** Lets an hour pass, and returns the moment between what was and what comes. */
  const later = (): string => {
    clock.advance(hour);
    const since = clock.now().toISOString();
    clock.advance(hour);
    return since;
  };
  const changesOf = async (assistant: Assistant, input: object): Promise<Record<string, unknown>[]> => {
    const { code, text, data } = await assistant.call("changes", input);
    expect(code, text).toBeNull();
    return listOf(data.changes);
  };

  it("lists what changed since a moment, oldest change first: what happened, and everybody who wrote", {
    meta: { proves: ["decision.tools.changes"] },
  }, async () => {
    const { people } = desk.world;
    const plan = await make(editor, { title: "Plan", markdown: "one" });
    const gone = await make(editor, { title: "Gone", markdown: "bye" });
    await make(editor, { title: "Untouched", markdown: "same" });
    const since = later();
    await editor.call("append_to_document", { id: plan, markdown: "two" });
    clock.advance(hour);
    await admin.call("append_to_document", { id: plan, markdown: "three" });
    clock.advance(1_000);
    const fresh = await make(admin, { title: "Fresh", markdown: "new" });
    clock.advance(1_000);
    for (const confirm of [false, true]) await editor.call("delete_document", { id: gone, confirm });
    const rows = await changesOf(editor, { since });
    expect(rows).toEqual([
      {
        id: plan,
        title: "Plan",
        collectionName: "Open",
        revision: 3,
        change: "updated",
        updatedAt: expect.stringMatching(/Z$/),
        updatedBy: people.admin.name,
        authors: [people.admin.name, people.editor.name].sort(),
      },
      expect.objectContaining({ id: fresh, change: "created", updatedBy: people.admin.name }),
      expect.objectContaining({ id: gone, change: "trashed", updatedBy: people.editor.name }),
    ]);
    expect(rows[1]).not.toHaveProperty("authors");
    // The trash is for those who may restore from it.
    expect((await changesOf(viewer, { since })).map(({ id }) => id)).toEqual([plan, fresh]);
    expect(await changesOf(editor, { since, collection: "Readable" })).toEqual([]);
  });

  it("with diff, shows what changed in each text since then, over all revisions, and of a new document everything", {
    meta: { proves: ["decision.tools.changes"] },
  }, async () => {
    const id = await make(editor, { markdown: "first\n\nsecond\n\nthird" });
    const since = later();
    await editor.call("replace_text", { id, oldText: "first", newText: "1st" });
    clock.advance(hour);
    await admin.call("replace_text", { id, oldText: "third", newText: "3rd" });
    await make(editor, { markdown: "all new" });
    const rows = await changesOf(editor, { since, diff: true });
    expect(rows).toMatchObject([{ id }, { change: "created", diff: expect.stringContaining("+all new") }]);
    const lines = String(rows[0]?.diff).split("\n");
    const changed = lines.filter((line) => /^[+-](?![+-])/.test(line));
    expect(changed).toEqual(["-first", "+1st", "-third", "+3rd"]);
    expect(await changesOf(editor, { since: later(), diff: true })).toEqual([]);
  });

  it("pages on without missing a change, also of a document that changes meanwhile", async () => {
    const since = later();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await make(editor, { markdown: `text ${count}` }));
    const seen: unknown[] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const { data } = await editor.call("changes", { since, limit: 2, cursor });
      seen.push(...listOf(data.changes).map(({ id }) => id));
      if (seen.length === 2) await editor.call("append_to_document", { id: ids[0], markdown: "again" });
      cursor = data.nextCursor;
    }
    expect(seen).toEqual([...ids, ids[0]]);
  });

  it("an answer ends after 60,000 characters of diffs, and the next one goes on", async () => {
    const since = later();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1)
      ids.push(await make(editor, { markdown: `${count} words `.repeat(5_000) }));
    const pages: unknown[][] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const { data, text } = await editor.call("changes", { since, diff: true, cursor });
      expect(text.length).toBeLessThan(140_000);
      pages.push(listOf(data.changes).map(({ id }) => id));
      cursor = data.nextCursor;
    }
    expect(pages.flat()).toEqual(ids);
    expect(pages.length).toBeGreaterThan(1);
  });

  it("shows nothing that the caller may not read, and nothing of another team", {
    meta: { proves: ["decision.tools.changes"] },
  }, async () => {
    const { people, collections } = desk.world;
    const since = later();
    const secret = await make(admin, { collection: "", collectionId: collections.vault, markdown: "hidden" });
    const draft = await make(admin, { collection: "Readable", publish: false, markdown: "mine" });
    expect((await changesOf(admin, { since, diff: true })).map(({ id }) => id)).toEqual([secret, draft]);
    for (const who of [people.viewer, people.outsider]) {
      expect(await changesOf(await desk.as(who), { since, diff: true })).toEqual([]);
    }
    const answer = await editor.call("changes", { since, collectionId: collections.vault });
    expect(answer.data).toEqual({ changes: [], nextCursor: null });
  });

  it("a date stands for its start in UTC; anything else says what to send", async () => {
    expect(await changesOf(editor, { since: "2999-01-01" })).toEqual([]);
    for (const since of ["yesterday", "2026-1-1", ""]) {
      const { code, text } = await editor.call("changes", { since });
      expect([code, text]).toEqual([
        "INVALID_PARAMETERS",
        expect.stringContaining("since: Must be a date, such as 2026-01-31"),
      ]);
    }
  });
});
