import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import { connect, migrate, sql, startCluster } from "@kb/db";
import pg from "pg";
import { startApi } from "./api-process.ts";
import { median } from "./median.ts";
import { seed } from "./seed.ts";

const rounds = 5;
const atOnce = 8;
const megabyte = 1024 ** 2;

/**
 * Measures how many megabytes of Markdown an export sends per second, compared to its floor: the same texts read by `pg` in
 * batches of the same size, compressed one after the other, and discarded.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-bench-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  try {
    await migrate(cluster.url);
    const database = connect({ url: cluster.url });
    const { key, collectionId } = await seed(database);
    await database.acrossTeams.execute(sql`VACUUM ANALYZE`);
    await database.close();
    const server = await startApi(cluster.url);
    const pool = new pg.Pool({ connectionString: cluster.url, max: 1 });
    try {
      const bytes = await compressAll(pool, collectionId);
      const url = `http://127.0.0.1:${server.port}/api/v1/collections.export?id=${collectionId}`;
      await download(url, key);
      const ratios: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const product = await timed(() => download(url, key));
        const floor = await timed(() => compressAll(pool, collectionId));
        ratios.push(floor / product);
        const speed = (seconds: number): string => (bytes / megabyte / seconds).toFixed(1);
        console.log(`export ${speed(product)} MB/s, floor ${speed(floor)} MB/s`);
      }
      console.log(`ratio ${median(ratios).toFixed(2)}, ${(bytes / megabyte).toFixed(1)} MB of Markdown`);
    } finally {
      await pool.end();
      await server.stop();
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

async function download(url: string, key: string): Promise<void> {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  if (answer.status !== 200 || answer.body === null) throw new Error(`the export responded with ${answer.status}`);
  for await (const _ of answer.body);
}

const compress = promisify(deflateRaw);

/** Compresses all documents of a collection. Returns the number of bytes of their text. */
async function compressAll(pool: pg.Pool, collectionId: string): Promise<number> {
  const { rows: ids } = await pool.query<{ id: string }>(
    `SELECT id FROM documents WHERE "collectionId" = $1 ORDER BY "sortOrder", "titleKey", id`,
    [collectionId],
  );
  let bytes = 0;
  for (let from = 0; from < ids.length; from += atOnce) {
    const batch = ids.slice(from, from + atOnce).map((row) => row.id);
    const { rows } = await pool.query<{ markdown: string }>({
      name: "bodies",
      text: `SELECT markdown FROM document_bodies WHERE "documentId" = ANY($1::uuid[])
        AND "teamId" = (SELECT "teamId" FROM collections WHERE id = $2)`,
      values: [batch, collectionId],
    });
    for (const { markdown } of rows) {
      const text = Buffer.from(markdown);
      crc32(text);
      await compress(text, { level: 6 });
      bytes += text.byteLength;
    }
  }
  return bytes;
}

await main();
