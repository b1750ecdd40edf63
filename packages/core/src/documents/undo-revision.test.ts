import { sql } from "@kb/db";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callerOf, outcomeOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const typist = world.people.editor;
const editor = callerOf(world, typist);
const assistant = callerOf(world, world.people.admin);
const writers = [assistant, editor];

const markdownOf = async (id: string): Promise<string> =>
  ((await editor.get(id, { format: "markdown" })).markdownText ?? "").trimEnd();

/** Creates a document and saves texts one after the other, by two people in turns: each is a revision of its own. */
async function saved(...texts: string[]): Promise<string> {
  const [text, ...later] = texts;
  const { id } = await editor.create({ title: "T", text, publish: true });
  for (const [index, next] of later.entries()) await writers[index % 2]?.update(id, { text: next });
  return id;
}

const nothingLeft = { code: "conflict", message: expect.stringContaining("Nothing of this change can be undone") };

describe("undoing the change of a revision", () => {
  it("takes back that change and keeps those before and after it, and what was written inside of what it added", {
    meta: { proves: ["decision.documents.revision-undo"] },
  }, async () => {
    const texts = [
      "one\n\ntwo",
      "ONE\n\ntwo",
      "ONE\n\nadded in passing\n\ntwo",
      "ONE\n\nadded, see below, in passing\n\ntwo!",
    ];
    const id = await saved(...texts);
    const undone = await editor.undoRevision(id, 3);
    expect(undone).toMatchObject({ revision: 5, undoneParts: 1, leftParts: 0 });
    expect(await markdownOf(id)).toBe("ONE\n\n, see below,\n\ntwo!");
    expect(await editor.undoRevision(id, 2)).toMatchObject({ revision: 6, undoneParts: 1 });
    expect(await markdownOf(id)).toBe("one\n\n, see below,\n\ntwo!");
  });

  it("is an entry of its own in the history, which names the revision that was undone, and by whom", {
    meta: { proves: ["decision.documents.revision-undo"] },
  }, async () => {
    const id = await saved("one", "one\n\ntwo");
    await editor.update(id, { title: "U" });
    await editor.undoRevision(id, 2);
    await editor.update(id, { emoji: "🎈" });
    const { data } = await assistant.revisions(id);
    expect(data.map(({ revision, undoes, author }) => [revision, undoes, author?.id])).toEqual([
      [5, undefined, typist.id],
      [4, 2, typist.id],
      [3, undefined, typist.id],
      [2, undefined, world.people.admin.id],
      [1, undefined, typist.id],
    ]);
    expect(await assistant.revision(id, 4)).toMatchObject({ undoes: 2, markdownText: "one\n" });
  });

  it("can be undone itself", { meta: { proves: ["decision.documents.revision-undo"] } }, async () => {
    const id = await saved("one", "one\n\ntwo", "zero\n\none\n\ntwo");
    await editor.undoRevision(id, 2);
    expect(await markdownOf(id)).toBe("zero\n\none");
    await editor.undoRevision(id, 4);
    expect(await markdownOf(id)).toBe("zero\n\none\n\ntwo");
    await editor.undoRevision(id, 5);
    expect(await markdownOf(id)).toBe("zero\n\none");
  });

  it("leaves the parts that were changed or deleted since and counts them, and is a conflict if nothing is left", {
    meta: { proves: ["decision.documents.revision-undo-left"] },
  }, async () => {
    const id = await saved("red a\n\nold b\n\nc", "blue a\n\nnew b\n\nc", "green a\n\nnew b\n\nc");
    expect(await editor.undoRevision(id, 2)).toMatchObject({ undoneParts: 1, leftParts: 1 });
    expect(await markdownOf(id)).toBe("green a\n\nold b\n\nc");
    await expect(editor.undoRevision(id, 2)).rejects.toMatchObject(nothingLeft);
    expect((await editor.get(id)).revision).toBe(4);
    await expect(editor.undoRevision(id, 1)).rejects.toMatchObject({ code: "conflict" });
  });

  it("takes back the title and the emoji, each unless it was changed again, and leaves tags, place and status", async () => {
    const { id } = await editor.create({ title: "T", emoji: "🎈", text: "one", tags: ["a"] });
    await assistant.update(id, { title: "U", emoji: "🎉", text: "one\n\ntwo", tags: ["b"], published: true });
    await editor.update(id, { title: "V" });
    const undone = await editor.undoRevision(id, 2);
    expect(undone).toMatchObject({ title: "V", emoji: "🎈", text: "one", tags: ["b"], undoneParts: 2, leftParts: 1 });
    expect(undone.publishedAt).not.toBeNull();
  });

  it("undoes each change of an assistant by itself: what it appended, replaced and restored", {
    meta: { proves: ["decision.documents.revision-undo"] },
  }, async () => {
    const { id } = await editor.create({ text: "# First\n\nold\n\n# Last\n\nend", publish: true });
    const appended = await assistant.edit(id, { op: "append", markdown: "appended" });
    await editor.update(id, { title: "Between" });
    const replaced = await assistant.edit(id, { op: "replace_section", heading: "First", markdown: "fresh" });
    await editor.edit(id, { op: "prepend", markdown: "before all" });
    await editor.undoRevision(id, replaced.revision);
    expect(await markdownOf(id)).toBe("before all\n\n# First\n\nold\n\n# Last\n\nend\n\nappended");
    await editor.undoRevision(id, appended.revision);
    expect(await markdownOf(id)).toBe("before all\n\n# First\n\nold\n\n# Last\n\nend");
    const restored = await assistant.restoreRevision(id, 1);
    await editor.edit(id, { op: "append", markdown: "after the restore" });
    await editor.undoRevision(id, restored.revision);
    expect(await markdownOf(id)).toBe("before all\n\n# First\n\nold\n\n# Last\n\nend\n\nafter the restore");
  });

  it("finds words again in the search, and no longer those that it took back", async () => {
    const id = await saved("quaggaword", "zonkeyword");
    await editor.undoRevision(id, 2);
    expect((await editor.search("quaggaword")).data.map(({ document }) => document.id)).toEqual([id]);
    expect((await editor.search("zonkeyword")).total).toBe(0);
  });

  it("is refused to a viewer, and for a revision or a document that is not there", async () => {
    const id = await saved("one", "two");
    expect(await outcomeOf(callerOf(world, world.people.viewer).undoRevision(id, 2))).toBe("forbidden");
    const missing = { code: "not_found", message: "Revision not found" };
    await expect(editor.undoRevision(id, 9)).rejects.toMatchObject(missing);
    // Of another document.
    const other = await saved("one");
    await expect(editor.undoRevision(other, 2)).rejects.toMatchObject(missing);
    await editor.delete(id);
    await expect(editor.undoRevision(id, 2)).rejects.toMatchObject({
      code: "not_found",
      message: "Document not found",
    });
  });

  it("of a revision that was continued names the later one", async () => {
    const id = await saved("one", "one\n\ntwo");
    await assistant.update(id, { text: "one\n\ntwo\n\nthree" });
    const message = expect.stringContaining("Revision 2 was continued as revision 3");
    const continued = { code: "conflict", message, details: [{ path: "revision", message, currentRevision: 3 }] };
    await expect(editor.undoRevision(id, 2)).rejects.toMatchObject(continued);
    await editor.update(id, { title: "Later" });
    await expect(editor.undoRevision(id, 2)).rejects.toMatchObject(continued);
    await editor.undoRevision(id, 3);
    expect(await markdownOf(id)).toBe("one");
  });

  it("is not what an edit by a release before it is called", async () => {
    const id = await saved("one", "one\n\ntwo");
    await editor.undoRevision(id, 2);
    await editor.update(id, { tags: ["a"] });
    expect((await editor.revision(id, 4)).undoes).toBe(2);
    await test.database.acrossTeams.rows(
      sql`UPDATE documents d SET "runStartedAt" = now(), revision = 5 WHERE id = ${id}::uuid`,
    );
    expect((await editor.revision(id, 5)).undoes).toBeUndefined();
    await assistant.update(id, { title: "Later" });
    expect((await editor.revision(id, 5)).undoes).toBeUndefined();
  });

  it("is refused by its guards after another change, typing that is not saved included", async () => {
    const id = await saved("one", "one\n\ntwo");
    expect(await outcomeOf(editor.undoRevision(id, 2, { expectedRevision: 1 }))).toBe("revision_conflict");
    expect(await outcomeOf(editor.undoRevision(id, 2, {}, { expectedRevisions: [1] }))).toBe("revision_conflict");
    const client = new LiveClient(world, typist, id);
    await client.open();
    await client.type("zero ");
    expect(await outcomeOf(assistant.undoRevision(id, 2, { expectedRevision: 2 }))).toBe("revision_conflict");
    expect(await markdownOf(id)).toBe("zero one\n\ntwo");
  });

  it("at the same time as another, takes back both", async () => {
    const id = await saved("one\n\ntwo", "ONE\n\ntwo", "ONE\n\nTWO");
    await Promise.all([editor.undoRevision(id, 2), assistant.undoRevision(id, 3)]);
    expect(await markdownOf(id)).toBe("one\n\ntwo");
    const twice = await saved("one", "one\n\ntwo");
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(editor.undoRevision(twice, 2))));
    expect(outcomes.sort()).toEqual(["conflict", "done"]);
    expect(await markdownOf(twice)).toBe("one");
  });
});

describe("undoing a change while a person types", () => {
  it.each([3, 2_000])(
    "in a document of %i paragraphs loses nothing that was typed, and reaches the typist as steps",
    async (count) => {
      const paragraphs = Array.from({ length: count }, (_, index) => `Paragraph ${index} of a page.`);
      const text = paragraphs.join("\n\n");
      const { id } = await editor.create({ text, publish: true });
      await assistant.edit(id, { op: "append", markdown: "appended by mistake" });
      const client = new LiveClient(world, typist, id);
      await client.open();
      await client.type("not saved yet ");
      expect(await assistant.undoRevision(id, 2)).toMatchObject({ revision: 4, undoneParts: 1, leftParts: 0 });
      expect(await markdownOf(id)).toBe(`not saved yet ${text}`);
      // Typed before the undo has reached the typist.
      await client.push([insertedText(1, "and more, ")]);
      expect(await markdownOf(id)).toBe(`and more, not saved yet ${text}`);
      const { batches } = await client.batches();
      expect(batches.map(({ kind }) => kind)).toEqual(["session", "api_key", "session"]);
      expect(JSON.stringify(batches[1]?.steps).length).toBeLessThan(200);
    },
  );

  it("undoes what was typed in one run, and keeps what an assistant wrote after it", async () => {
    const { id } = await editor.create({ text: "one", publish: true });
    const client = new LiveClient(world, typist, id);
    await client.open();
    await client.type("zero ");
    await assistant.edit(id, { op: "append", markdown: "two" });
    await editor.undoRevision(id, 2);
    expect(await markdownOf(id)).toBe("one\n\ntwo");
  });
});

const runs = { numRuns: Number(process.env.KB_FUZZ_RUNS ?? 12), seed: Number(process.env.KB_FUZZ_SEED ?? Date.now()) };

/** A change of a paragraph of its own: what becomes of its words. */
const changes = {
  prepend: (words: string) => `New ${words}`,
  append: (words: string) => `${words} Also this.`,
  insert: (words: string) => words.replace(" stays", " certainly stays"),
  replace: (words: string) => words.replace("stays", "goes"),
  emphasize: (words: string) => words.replace("stays", "**stays**"),
  delete: (words: string) => words.replace(" stays", ""),
  heading: (words: string) => `## ${words}`,
  remove: () => "",
  split: (words: string) => words.replace(" stays", "\n\nNothing stays"),
};
const change = fc.constantFrom(...Object.keys(changes)) as fc.Arbitrary<keyof typeof changes>;

describe("undoing any change of a random history", () => {
  it("gives the document without it, if each change is in a paragraph of its own", { timeout: 120_000 }, async () => {
    const history = fc.array(change, { minLength: 1, maxLength: 6 }).chain((kinds) =>
      fc.record({
        kinds: fc.constant(kinds),
        undone: fc.nat(kinds.length - 1),
        order: fc.shuffledSubarray([...kinds.keys()], { minLength: kinds.length }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(history, async ({ kinds, undone, order }) => {
        // Paragraphs that no change touches stand between the others.
        const first = kinds.flatMap((_, index) => [`Margin ${index}.`, `Word${index} stays here${index}.`]);
        const textOf = (made: readonly number[]): string =>
          first
            .map((words, index) =>
              index % 2 === 1 && made.includes((index - 1) / 2) ? changeOf(kinds, index)(words) : words,
            )
            .filter((words) => words !== "")
            .join("\n\n");
        const id = await saved(...order.map((_, made) => textOf(order.slice(0, made))), textOf(order));
        await editor.undoRevision(id, order.indexOf(undone) + 2);
        expect(await markdownOf(id)).toBe(textOf(order.filter((index) => index !== undone)));
      }),
      runs,
    );
  });
});

function changeOf(kinds: readonly (keyof typeof changes)[], index: number): (words: string) => string {
  const kind = kinds[(index - 1) / 2];
  if (kind === undefined) throw new RangeError(`There is no change ${index}`);
  return changes[kind];
}
