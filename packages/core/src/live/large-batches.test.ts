import { type Sql, sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { callerOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { testWorld } from "../testing/test-world.ts";
import { keptDocuments } from "./accept-locked.ts";
import { settleDocument } from "./checkpoint.ts";

const log: string[] = [];
const { test, world } = await testWorld(undefined, { onQuery: (text) => void log.push(text) });
const editor = callerOf(world, world.people.editor);

const paragraphs = (count: number): string =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index} of a large page.`).join("\n\n");

async function opened(text: string) {
  const { id } = await editor.create({ text, publish: true });
  const client = new LiveClient(world, world.people.editor, id);
  await client.open();
  return { id, client };
}

const bold = (from: number, to: number) => ({ stepType: "addMark", mark: { type: "bold" }, from, to });
const textOf = async (id: string): Promise<string> => (await editor.get(id)).text ?? "";

/** Appends a batch as another process does, without this one. */
async function appendElsewhere(id: string, text: string): Promise<void> {
  const key: Sql = sql`"teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`;
  const steps = JSON.stringify([insertedText(1, text)]);
  await test.database.execute(sql`WITH head AS (UPDATE live_documents SET version = version + 1 WHERE ${key} RETURNING *)
    INSERT INTO live_batches ("teamId", "documentId", version, "clientId", seq, "authorId", kind, at, steps, bytes, origins)
    SELECT "teamId", "documentId", version, gen_random_uuid(), 1, ${world.people.admin.actor.userId}::uuid, 'session', now(),
      ${steps}::jsonb, ${steps.length}, '{}' FROM head`);
}

describe("in a large document", () => {
  it("batches of several processes, changes of the body and late batches are all in the text", async () => {
    const { id, client } = await opened(paragraphs(1_500));
    await client.type("[a]");
    await appendElsewhere(id, "[b]");
    // Made before [b].
    await client.push([insertedText(1, "[c]")]);
    await editor.edit(id, { op: "append", markdown: "[d]" });
    await appendElsewhere(id, "[e]");
    client.version = 0;
    await client.push([insertedText(1, "[f]")]);
    const text = await textOf(id);
    for (const piece of ["[a]", "[b]", "[c]", "[d]", "[e]", "[f]"]) expect(text.split(piece)).toHaveLength(2);
    expect(text.endsWith("[d]")).toBe(true);
  });

  it("an append is prepared once: it reads the document and makes its steps in one task", async () => {
    const { id, client } = await opened(paragraphs(1_500));
    await client.type("[a]");
    await textOf(id);
    log.length = 0;
    await editor.edit(id, { op: "append", markdown: "[b]" });
    expect(log.filter((text) => text.includes("b.content::text AS content"))).toHaveLength(1);
    const added = log.find((text) => text.includes("INSERT INTO live_batches"));
    expect(added).toBeDefined();
    await client.type("[c]");
    const text = await textOf(id);
    for (const piece of ["[a]", "[b]", "[c]"]) expect(text.split(piece)).toHaveLength(2);
    expect(text.endsWith("[b]")).toBe(true);
  });

  it("a batch that marks all of it is accepted, and so is the next one", async () => {
    const { id, client } = await opened(paragraphs(1_500));
    client.version = (await client.push([bold(1, 40_000)])).version;
    await client.type("Ada ");
    const { markdownText = "" } = await editor.get(id, { format: "markdown" });
    expect(markdownText.startsWith("Ada **Paragraph 0")).toBe(true);
    expect(markdownText.split("**").length).toBeGreaterThan(1_000);
  });

  it("batches of many marks are accepted, and so is the next one, in this process and after they were saved", async () => {
    for (const count of [400, 1_500]) {
      const { id, client } = await opened(paragraphs(count));
      const marks = Array.from({ length: 9 }, (_, index) => ({
        ...bold(1, 8_000),
        stepType: index % 2 ? "removeMark" : "addMark",
      }));
      for (let times = 0; times < 3; times += 1) client.version = (await client.push(marks)).version;
      await client.type("Ada ");
      const { markdownText = "" } = await editor.get(id, { format: "markdown" });
      expect(markdownText.startsWith("Ada **Paragraph 0")).toBe(true);
      await client.type("Eve ");
      expect((await textOf(id)).startsWith("Eve Ada Paragraph 0")).toBe(true);
    }
  });

  it("a batch of much text is accepted, and so is the next one", async () => {
    const { id, client } = await opened(paragraphs(1_500));
    await client.type("[a]");
    await client.type("x".repeat(100_000));
    await client.type("[b]");
    await client.type("[c]");
    expect((await textOf(id)).startsWith(`[c][b]${"x".repeat(100_000)}[a]`)).toBe(true);
  });

  it("batches come from the kept document again once a large paste was saved", async () => {
    const { id, client } = await opened(paragraphs(1_500));
    const content = Array.from({ length: 2_000 }, () => ({
      type: "paragraph",
      content: [{ type: "text", text: "A pasted paragraph of many." }],
    }));
    client.version = (await client.push([{ stepType: "replace", from: 0, to: 0, slice: { content } }])).version;
    const key = { teamId: world.teamId, documentId: id };
    await client.type("a");
    expect(keptDocuments.find(key)?.document).toBeNull();
    await client.type("b");
    expect(keptDocuments.find(key)?.document).toBeNull();
    await settleDocument(world.service, world.teamId, id);
    await client.type("c");
    expect(keptDocuments.find(key)?.document).toBeTruthy();
    expect((await textOf(id)).startsWith("cbaA pasted paragraph")).toBe(true);
  });

  it("a block that is too large for the event loop takes batches", async () => {
    const { id, client } = await opened(`${paragraphs(10)}\n\n${"word ".repeat(20_000)}`);
    await client.type("[a]");
    await client.type("[b]");
    expect((await textOf(id)).startsWith("[b][a]Paragraph 0")).toBe(true);
  });
});
