import { invoke, operations } from "@kb/core";
import { createWorld, type World } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Sent, tableReads } from "./explain.ts";

const count = 3_000;
/** One document in this number contains the rare word. */
const rareEvery = 300;

let test: TestDatabase;
let world: World;
let client: pg.Client;
const sent: Sent[] = [];

beforeAll(async () => {
  test = await testDatabase({ onQuery: (text, values) => sent.push({ text, values }) });
  world = await createWorld(test.database);
  client = new pg.Client({ connectionString: test.url });
  await client.connect();
  // The state of the first minutes after an import: no statistics, and index entries that wait in their list.
  for (const table of ["documents", "document_bodies"]) {
    await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  }
  await importDocuments();
});

afterAll(async () => {
  await client.end();
  await test.drop();
});

async function importDocuments(): Promise<void> {
  const { teamId, collections, people } = world;
  const ids = Array.from({ length: count }, () => newId());
  const words = Array.from({ length: 200 }, (_, n) => `'word${n}'`).join(" ");
  const vectors = ids.map((_, n) => (n % rareEvery === 0 ? `'common' 'rare' ${words}` : `'common' ${words}`));
  await test.database.execute(sql`INSERT INTO documents
      ("teamId", id, title, "titleKey", "collectionId", "createdById", "runStartedAt", "publishedAt", "createdAt", "updatedAt")
    SELECT ${teamId}::uuid, x.id, 'Imported', 'imported', ${collections.open}::uuid, ${people.admin.id}::uuid, now(), now(), now(), now()
    FROM unnest(${ids}::uuid[]) AS x(id)`);
  await test.database.execute(sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
    SELECT ${teamId}::uuid, x.id, '{}'::jsonb, '', '', '', x.vector::tsvector
    FROM unnest(${ids}::uuid[], ${vectors}::text[]) AS x(id, vector)`);
}

it.each(["force_custom_plan", "force_generic_plan"] as const)(
  "right after an import, before any statistics, a search reads the rows that it finds and no others (%s)",
  async (planning) => {
    sent.length = 0;
    const found = await invoke(world.service, operations.searchDocuments, world.people.editor.actor, { query: "rare" });
    expect(found.total).toBe(count / rareEvery);
    // The statement that waits for the disk reads no table, and PostgreSQL explains no message.
    const searches = sent.filter(({ text }) => !text.includes("pg_logical_emit_message"));
    const reads = (await Promise.all(searches.map((statement) => tableReads(client, statement, planning)))).flat();
    const rows = reads.filter(({ table }) => table.startsWith("document")).reduce((sum, read) => sum + read.rows, 0);
    expect(reads.some(({ table, rows: read }) => table === "document_bodies" && read >= found.total)).toBe(true);
    expect(rows).toBeLessThan(20 * found.total);
  },
);
