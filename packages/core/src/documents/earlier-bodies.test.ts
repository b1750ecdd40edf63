import { readFileSync } from "node:fs";
import { sql } from "@kb/db";
import { type DocJSON, normalize } from "markdown-codec";
import { expect, it } from "vitest";
import { invoke, operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const { admin } = world.people;

/** A body as the release before raw constructs, callouts and formulas stored it: it had no nodes for them. */
interface EarlierBody {
  readonly name: string;
  readonly content: DocJSON;
  readonly text: string;
  readonly markdown: string;
}

const fixture = new URL("../../../markdown-codec/test/fixtures/stored-bodies.json", import.meta.url);
const bodies: readonly EarlierBody[] = JSON.parse(readFileSync(fixture, "utf8"));

/** Creates a document and puts the body into the database as it was stored. */
async function storeAsEarlierRelease({ name, content, text, markdown }: EarlierBody): Promise<string> {
  const { id } = await invoke(world.service, operations.createDocument, admin.actor, {
    collectionId: world.collections.open,
    title: name,
    publish: true,
  });
  await test.database.execute(sql`UPDATE document_bodies
    SET content = ${JSON.stringify(content)}::jsonb, text = ${text}, markdown = ${markdown}
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
  return id;
}

const get = async (id: string) =>
  invoke(world.service, operations.getDocument, admin.actor, { id, format: "markdown", include: "content" });

it("a body that an earlier release stored is read unchanged, as text, Markdown and JSON", async () => {
  expect(bodies.length).toBeGreaterThan(80);
  for (const body of bodies) {
    const { content, text, markdown } = body;
    expect(await get(await storeAsEarlierRelease(body)), body.name).toMatchObject({
      content,
      text,
      markdownText: markdown,
    });
  }
});

it("an edit of a body that an earlier release stored keeps its blocks and words: only its addresses become links", async () => {
  for (const body of bodies) {
    const id = await storeAsEarlierRelease(body);
    await invoke(world.service, operations.editDocument, admin.actor, { id, op: "append", markdown: "## The end" });
    const { content, text } = await get(id);
    expect(text, body.name).toBe(`${body.text}\nThe end`);
    expect(content, body.name).toEqual({
      type: "doc",
      content: [...normalize(body.content).doc.content, expect.objectContaining({ type: "heading" })],
    });
  }
});
