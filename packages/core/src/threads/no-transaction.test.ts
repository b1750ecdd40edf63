import { sql } from "@kb/db";
import { expect, it, vi } from "vitest";
import * as operations from "../operations.ts";
import { callerOf } from "../testing/caller.ts";
import { LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";
import { ThreadPool } from "./thread-pool.ts";

const { test, world } = await testWorld();

/** Returns how many transactions of this database wait for their next statement. */
async function openTransactions(): Promise<number> {
  const [row] = await test.database.acrossTeams.rows<{ open: number }>(sql`SELECT count(*)::int AS open
    FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`);
  return row?.open ?? -1;
}

/** Returns the names of the tasks that threads were given meanwhile, and how many transactions were open then. */
async function watchTasks(use: () => Promise<void>): Promise<{ name: string; open: number }[]> {
  const seen: { name: string; open: number }[] = [];
  const run = ThreadPool.prototype.run;
  const spy = vi.spyOn(ThreadPool.prototype, "run").mockImplementation(async function (
    this: ThreadPool,
    owner,
    name,
    input,
  ) {
    seen.push({ name, open: await openTransactions() });
    return run.call(this, owner, name, input);
  });
  try {
    await use();
  } finally {
    spy.mockRestore();
  }
  return seen;
}

const page = (word: string, parts = 800): string =>
  Array.from({ length: parts }, (_, index) => `## Part ${index}\n\nThe ${word} **number** ${index}.`).join("\n\n");

it("no work on a large body waits for a thread inside a transaction", { timeout: 120_000 }, async () => {
  const whileOneIsOpen = test.database.transaction(async (tx) => {
    await tx.rows(sql`SELECT 1`);
    return openTransactions();
  });
  expect(await whileOneIsOpen).toBe(1);
  const editor = callerOf(world, world.people.editor);
  const admin = callerOf(world, world.people.admin);
  const inApp = callerOf(world, await world.session(world.people.editor));
  const seen = await watchTasks(async () => {
    const { id } = await editor.create({ text: page("otter"), publish: true });
    await editor.edit(id, { op: "append", markdown: "The end." });
    await editor.edit(id, { op: "replace_text", edits: [{ oldText: "number** 7.", newText: "number** seven." }] });
    await editor.previewEdit(id, { op: "append", markdown: "A preview." });
    const { revision } = await editor.update(id, { title: "Otters", tags: ["river"] });
    await admin.update(id, { text: page("beaver") });
    await expect(editor.update(id, { title: "Late", expectedRevision: 1 })).rejects.toThrow();
    await editor.restoreRevision(id, revision);
    await editor.undoRevision(id, revision + 2);
    await inApp.run(operations.viewRevision, { id, revision });
    await inApp.run(operations.viewDocument, { id });
    const client = new LiveClient(world, world.people.editor, id);
    await client.open();
    client.version = (
      await client.push([{ stepType: "addMark", mark: { type: "bold" }, from: 1, to: 20_000 }])
    ).version;
    await client.type("Ada ");
    await editor.get(id, { format: "markdown" });
    await admin.update(id, { text: page("heron") });
  });
  const names = new Set(seen.map(({ name }) => name));
  for (const name of [
    "bodyFromMarkdown",
    "editedBody",
    "undoneBody",
    "diff",
    "indexOfStored",
    "articleHtml",
    "acceptSteps",
    "deriveBody",
  ])
    expect(names).toContain(name);
  expect(seen.filter(({ open }) => open !== 0)).toEqual([]);
});
