import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";
import { PrepareAgain } from "../prepare-again.ts";
import { testWorld } from "../testing/test-world.ts";
import { findDocument } from "./row.ts";
import { storedIndex } from "./search-entry.ts";
import { readStoredBody } from "./stored-body.ts";

// Large bodies behave like small ones, although their work is done in a thread before the transaction.

const { test, world } = await testWorld();

const large = (word: string): string =>
  Array.from(
    { length: 400 },
    (_, index) => `## Part ${index}\n\nThe ${word} number ${index}, with **text** around it.`,
  ).join("\n\n");

const actor = () => world.people.admin.actor;

async function create(text: string, tags: string[] = []) {
  return asDocument(
    await invoke(world.service, operations.createDocument, actor(), {
      collectionId: world.collections.open,
      title: "Large",
      text,
      tags,
    }),
  );
}

type Shown = { id: string; revision: number; title: string; text: string | null };

/** Every operation of this file but a dry run returns the document. */
const asDocument = (output: unknown): Shown => output as Shown;

async function markdownOf(id: string): Promise<string> {
  return (await readStoredBody(test.database, actor(), id))?.markdown ?? "";
}

async function found(query: string): Promise<string[]> {
  const page = await invoke(world.service, operations.searchDocuments, actor(), { query });
  return page.data.map(({ document }) => document.id);
}

describe("a large body", () => {
  it("is stored, searched and shown like a small one", async () => {
    const document = await create(large("walrus"), ["sea"]);
    expect(await markdownOf(document.id)).toBe(`${large("walrus")}\n`);
    expect(document.text).toContain("The walrus number 399, with text around it.");
    expect(await found("walrus")).toContain(document.id);
  });

  it("of editor JSON with a text of 4.9 million characters is too large", async () => {
    const text = "a".repeat(4_900_000);
    const content = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] };
    const creation = invoke(world.service, operations.createDocument, actor(), {
      collectionId: world.collections.open,
      content,
    });
    await expect(creation).rejects.toMatchObject({ code: "payload_too_large" });
  });

  it("is found under a new title and new tags, and no longer under the old ones", async () => {
    const { id } = await create(large("otter"), ["stream"]);
    await invoke(world.service, operations.updateDocument, actor(), { id, title: "Burrow", tags: ["lake"] });
    expect(await found("burrow otter")).toEqual([id]);
    expect(await found("lake otter")).toEqual([id]);
    expect(await found("stream otter")).toEqual([]);
  });

  it("of Markdown that has no text is indexed under a new title and new tags before the transaction, too", async () => {
    const { id } = await create("---\n\n".repeat(5_000), ["stream"]);
    for (const parts of [{ smallContent: true }, { smallIndex: true }]) {
      const before = await findDocument(test.database, actor(), id, parts);
      if (before === null) throw new Error("the document is gone");
      expect(before.text.length).toBeLessThan(20_000);
      const labels = { title: "Lodge", tags: ["pond"] };
      const inTransaction = test.database.transaction((tx) =>
        storedIndex({ tx, actor: actor() }, before, labels, undefined),
      );
      await expect(inTransaction).rejects.toBeInstanceOf(PrepareAgain);
    }
    await invoke(world.service, operations.updateDocument, actor(), { id, title: "Lodge" });
    await invoke(world.service, operations.updateDocument, actor(), { id, tags: ["pond"] });
    expect(await found("lodge pond")).toEqual([id]);
    expect(await found("stream lodge")).toEqual([]);
  });

  it("is found under its title after its body was replaced", async () => {
    const { id } = await create(large("badger"));
    await invoke(world.service, operations.updateDocument, actor(), { id, text: large("marten") });
    expect(await found("large marten")).toEqual([id]);
    expect(await found("badger")).toEqual([]);
  });

  it("keeps everything that a targeted edit does not touch", async () => {
    const { id } = await create(large("heron"));
    const edited = asDocument(
      await invoke(world.service, operations.editDocument, actor(), {
        id,
        op: "insert_after_heading",
        heading: "Part 7",
        markdown: "Between.",
      }),
    );
    expect(edited.revision).toBe(2);
    expect(await markdownOf(id)).toBe(`${large("heron").replace("## Part 7\n\n", "## Part 7\n\nBetween.\n\n")}\n`);
  });

  it("has several texts replaced, in a thread, all or none", async () => {
    const { id } = await create(large("stork"));
    const edits = Array.from({ length: 100 }, (_, index) => ({
      oldText: `number ${index}, with **text** around`,
      newText: `number ${index}, with *words* around`,
    }));
    const run = (more: object[]) =>
      invoke(world.service, operations.editDocument, actor(), {
        id,
        op: "replace_text",
        edits: [...edits.slice(1), ...more],
      });
    await expect(run([{ oldText: "absent", newText: "x" }])).rejects.toMatchObject({
      code: "text_not_found",
      details: [{ path: "edits.99.oldText" }],
    });
    expect(await markdownOf(id)).toBe(`${large("stork")}\n`);
    await run([]);
    const markdown = await markdownOf(id);
    expect(markdown.split("*words*")).toHaveLength(100);
    expect(markdown).toContain("The stork number 99, with *words* around it.\n\n## Part 100");
  });

  it("a dry run returns the difference and changes nothing", async () => {
    const { id } = await create(large("crane"));
    const preview = await invoke(world.service, operations.editDocument, actor(), {
      id,
      op: "append",
      markdown: "The end.",
      dryRun: true,
    });
    expect(preview).toEqual({ revision: 1, diff: expect.stringContaining("+The end.") });
    expect(await markdownOf(id)).toBe(`${large("crane")}\n`);
  });

  it("a conflict names the current revision and shows the difference, cut at 64 kB", async () => {
    const { id } = await create(large("swan"));
    // Another author, so that the first state is a stored revision.
    await invoke(world.service, operations.updateDocument, world.people.editor.actor, {
      id,
      text: large("goose").repeat(4),
    });
    const late = invoke(world.service, operations.updateDocument, actor(), { id, title: "Late", expectedRevision: 1 });
    const { details } = await late.catch((error: unknown) => Object(error));
    expect(details).toMatchObject([{ path: "expectedRevision", currentRevision: 2 }]);
    expect(details[0].diff).toMatch(/^-The swan number 0/m);
    expect(details[0].diff).toMatch(/… the diff is cut here: \d+ more characters$/);
    expect(details[0].diff.length).toBeLessThan(66_000);
  });

  it("comes back as it was when a revision is restored", async () => {
    const { id } = await create(large("finch"));
    await invoke(world.service, operations.updateDocument, world.people.editor.actor, {
      id,
      text: "Short.",
      title: "Small",
    });
    await invoke(world.service, operations.restoreRevision, actor(), { id, revision: 1 });
    expect(await markdownOf(id)).toBe(`${large("finch")}\n`);
    expect(await found("large finch")).toEqual([id]);
  });

  it("loses one change of hundreds of places that is undone, and keeps the later ones", async () => {
    const { id } = await create(large("heron"));
    const update = (person: typeof world.people.editor, text: string) =>
      invoke(world.service, operations.updateDocument, person.actor, { id, text });
    const { editor, admin } = world.people;
    await update(editor, large("egret"));
    await update(admin, `Before all.\n\n${large("egret").replaceAll("**text**", "*words*")}`);
    const undone = await invoke(world.service, operations.undoRevision, actor(), { id, revision: 2 });
    expect(undone).toMatchObject({ undoneParts: 400, leftParts: 0 });
    expect(await markdownOf(id)).toBe(`Before all.\n\n${large("heron").replaceAll("**text**", "*words*")}\n`);
    expect(await found("large heron")).toContain(id);
  });

  it("has its title alone undone and restored, and is found under it", async () => {
    const { id } = await create(large("plover"));
    const { editor } = world.people;
    await invoke(world.service, operations.updateDocument, editor.actor, { id, title: "Renamed" });
    await invoke(world.service, operations.undoRevision, actor(), { id, revision: 2 });
    expect(await found("large plover")).toEqual([id]);
    expect(await found("renamed plover")).toEqual([]);
    await invoke(world.service, operations.restoreRevision, editor.actor, { id, revision: 2 });
    expect(await found("renamed plover")).toEqual([id]);
    expect(await markdownOf(id)).toBe(`${large("plover")}\n`);
  });

  it("errors of an edit say the same as those of a small body", async () => {
    const { id } = await create(large("robin"));
    const missing = { id, op: "insert_after_heading", heading: "Nowhere", markdown: "x" };
    await expect(invoke(world.service, operations.editDocument, actor(), missing)).rejects.toMatchObject({
      code: "heading_not_found",
      details: [{ path: "heading", count: 400 }],
    });
    const twice = { id, op: "replace_text", oldText: "The robin number", newText: "x" };
    await expect(invoke(world.service, operations.editDocument, actor(), twice)).rejects.toMatchObject({
      code: "text_ambiguous",
    });
  });

  it("somebody who may not edit learns nothing from an edit of a large body", async () => {
    const { id } = await create(large("raven"));
    const edit = { id, op: "replace_text", oldText: "not there", newText: "x" };
    await expect(invoke(world.service, operations.editDocument, world.people.viewer.actor, edit)).rejects.toMatchObject(
      {
        code: "forbidden",
      },
    );
  });
});

it("appends to a large body by several processes at once are all kept", async () => {
  const { id } = await create(large("tern"));
  const append = (marker: string) =>
    invoke(world.service, operations.editDocument, actor(), { id, op: "append", markdown: marker });
  // Another process writes under the lock between what this one prepares and its transaction.
  const elsewhere = async (marker: string): Promise<void> => {
    await test.database.transaction(async (tx) => {
      const { teamId } = actor();
      await tx.rows(
        sql`SELECT 1 FROM documents d WHERE d."teamId" = ${teamId}::uuid AND d.id = ${id}::uuid FOR UPDATE`,
      );
      const paragraph = { type: "paragraph", content: [{ type: "text", text: marker }] };
      await tx.execute(sql`UPDATE document_bodies SET markdown = markdown || ${`\n${marker}\n`},
        content = jsonb_set(content, '{content}', content->'content' || ${JSON.stringify([paragraph])}::jsonb)
        WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${id}::uuid`);
      await tx.execute(sql`UPDATE documents SET revision = revision + 1
        WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid`);
    });
  };
  const markers = Array.from({ length: 6 }, (_, index) => `Marker${index}.`);
  const foreign = Array.from({ length: 3 }, (_, index) => `Foreign${index}.`);
  await Promise.all([...markers.map(append), ...foreign.map(elsewhere)]);
  const markdown = await markdownOf(id);
  for (const marker of [...markers, ...foreign]) expect(markdown.split(marker)).toHaveLength(2);
});
