import { sql } from "@kb/db";
import { expect, it } from "vitest";
import { callerOf } from "../testing/caller.ts";
import { insertedText, LiveClient } from "../testing/live-client.ts";
import { realDocuments } from "../testing/real-documents.ts";
import { testWorld } from "../testing/test-world.ts";
import { settleDocument } from "./checkpoint.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);

/** Returns a large document of real ones, which begins with a paragraph. */
function largeMarkdown(): string {
  const { documents } = realDocuments();
  const parts = ["Paragraph"];
  for (let index = 0, length = 0; length < 150_000; index += 1) {
    const { markdown } = documents[(index * 97) % documents.length] ?? { markdown: "" };
    parts.push(markdown);
    length += markdown.length;
  }
  return parts.join("\n\n");
}

type Row = Record<string, unknown>;

/** Returns all columns of a body but those that name it. */
async function bodyOf(id: string): Promise<Row> {
  const [row] = await test.database.rows<{ body: Row }>(
    sql`SELECT to_jsonb(b) - 'documentId' AS body FROM document_bodies b WHERE b."teamId" = ${world.teamId}::uuid AND b."documentId" = ${id}::uuid`,
  );
  if (row === undefined) throw new Error("a document has a body");
  return row.body;
}

it("a large document that is saved after each of many batches is stored as one that is written as a whole", async () => {
  const { id } = await editor.create({ title: "Often", text: largeMarkdown() });
  const client = new LiveClient(world, world.people.editor, id);
  await client.open();
  const versions: Row[] = [];
  const pieces = ["a ", "的", "[^1]", "`x` ", "Ω", "\u00a0", "*b* ", "word "];
  for (const [index, piece] of pieces.entries()) {
    await client.push([insertedText(index === 5 ? 10 : 1, piece)]);
    const content = [{ type: "paragraph", content: [{ type: "text", text: `Block ${index}` }] }];
    if (index % 3 === 1) await client.push([{ stepType: "replace", from: 0, to: 0, slice: { content } }]);
    await settleDocument(world.service, world.teamId, id);
    versions.push(await bodyOf(id));
  }
  // Not between the batches: another task makes a thread forget the document.
  for (const stored of versions) {
    const whole = await editor.create({ title: "Often", content: stored.content });
    expect(stored).toEqual(await bodyOf(whole.id));
  }
});
