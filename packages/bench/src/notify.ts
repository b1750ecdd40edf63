import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Actor } from "@kb/auth";
import { admin, changeChannel, invoke, operations, type Service } from "@kb/core";
import { connect, type Database, migrate, startCluster } from "@kb/db";
import pg from "pg";
import { median } from "./median.ts";

const writers = 20;
const rounds = 5;
const roundMs = 3_000;

/** Takes the place of PostgreSQL's function in a database whose search path names `public` first. */
const silentNotify = `CREATE FUNCTION public.pg_notify(text, text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1'`;

/** A kind of write, as each of the writers runs it. */
type Write = (writer: number) => Promise<unknown>;

type Subject = {
  readonly update: Write;
  readonly commit: Write;
  /** Returns how many changes were announced. */
  announced(): number;
  close(): Promise<void>;
};

/**
 * Measures what the announcement of each commit costs 20 writers of 20 teams. PostgreSQL lets transactions that NOTIFY
 * commit one at a time. Two databases of one cluster take turns; in the second, `pg_notify` does nothing.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-bench-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  const subjects: Subject[] = [];
  try {
    const announcing = await openSubject(cluster.url, "announcing");
    subjects.push(announcing);
    const silent = await openSubject(cluster.url, "silent", silentNotify);
    subjects.push(silent);
    await compare("update of a document by the service", announcing.update, silent.update);
    await compare("bare commit of one row", announcing.commit, silent.commit);
    console.log(`announced: ${announcing.announced()} with NOTIFY, ${silent.announced()} without`);
  } finally {
    for (const subject of subjects) await subject.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(name: string, withNotify: Write, without: Write): Promise<void> {
  const ratios: number[] = [];
  const rates: { readonly withNotify: number; readonly without: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const rate = { withNotify: await perSecond(withNotify), without: await perSecond(without) };
    rates.push(rate);
    ratios.push(rate.withNotify / rate.without);
  }
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  console.log(`${name}, ${writers} writers: ratio ${median(ratios).toFixed(2)} (${each})`);
  const announced = median(rates.map((rate) => rate.withNotify));
  const silent = median(rates.map((rate) => rate.without));
  console.log(`  ${announced.toFixed(0)}/s with NOTIFY, ${silent.toFixed(0)}/s without`);
}

/** Runs all writers for one round, and returns their writes per second. */
async function perSecond(write: Write): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  const work = async (writer: number): Promise<void> => {
    while (performance.now() - startedAt < roundMs) {
      await write(writer);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)));
  return count / ((performance.now() - startedAt) / 1_000);
}

async function openSubject(clusterUrl: string, name: string, preparation?: string): Promise<Subject> {
  const url = await createDatabase(clusterUrl, name, preparation);
  const database = connect({ url, poolMax: writers });
  const pool = new pg.Pool({ connectionString: url, max: writers });
  await pool.query("CREATE TABLE bench_rows (writer int PRIMARY KEY, count int NOT NULL)");
  await pool.query("INSERT INTO bench_rows SELECT n, 0 FROM generate_series(0, $1::int) n", [writers - 1]);
  let announced = 0;
  database.listen(changeChannel, (payload) => {
    if (payload !== null) announced += 1;
  });
  return {
    update: await documentUpdates(database),
    // One statement, like the outbox: it writes a row and announces its change.
    commit: (writer) =>
      pool.query("UPDATE bench_rows SET count = count + 1 WHERE writer = $1 RETURNING pg_notify($2, $1::text)", [
        writer,
        changeChannel,
      ]),
    announced: () => announced,
    close: async () => {
      await pool.end();
      await database.close();
    },
  };
}

/** Creates a database with the schema of the service. Returns its URL. */
async function createDatabase(clusterUrl: string, name: string, preparation?: string): Promise<string> {
  const maintenance = new URL(clusterUrl);
  maintenance.pathname = "/postgres";
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  await runStatements(maintenance.href, [`CREATE DATABASE ${name}`]);
  await migrate(url.href);
  if (preparation !== undefined) {
    await runStatements(url.href, [preparation, `ALTER DATABASE ${name} SET search_path = public, pg_catalog`]);
  }
  return url.href;
}

async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Creates a team with a document for each writer. Returns the write that changes the document's title. */
async function documentUpdates(database: Database): Promise<Write> {
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  const documents: { readonly actor: Actor; readonly id: string; count: number }[] = [];
  for (let writer = 0; writer < writers; writer += 1) {
    const adminEmail = `writer-${writer}@example.com`;
    const team = await admin.createTeam(service, { name: `Team ${writer}`, adminEmail });
    const actor = await admin.systemActor(service, team.id);
    const { id: collectionId } = await invoke(service, operations.createCollection, actor, { name: "Bench" });
    const { id } = await invoke(service, operations.createDocument, actor, { title: "0", collectionId, publish: true });
    documents.push({ actor, id, count: 0 });
  }
  return async (writer) => {
    const document = documents[writer];
    if (document === undefined) throw new Error(`there is no writer ${writer}`);
    document.count += 1;
    const change = { id: document.id, title: String(document.count) };
    await invoke(service, operations.updateDocument, document.actor, change);
  };
}

await main();
