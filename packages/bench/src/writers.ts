import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authenticateApiKey } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import { connect, type Database, migrate, startCluster } from "@kb/db";
import { startApi } from "./api-process.ts";
import { type MeasuredSlice, measuredSlice } from "./measured-slice.ts";
import { median } from "./median.ts";
import { shortText } from "./peers/paths.ts";
import type { ServerProcess } from "./processes.ts";
import type { Scenario } from "./scenarios.ts";
import { startWritersFloor } from "./start-writers-floor.ts";
import { markdownTable, writeResults } from "./write-results.ts";

// Measures 20 concurrent writers in one team, in 20 teams and of one document, beside a bare handler that inserts one row of the
// same size. Their slices take turns. Fails if an appended line is missing.

const writers = 20;
const rounds = 3;
const sliceMs = 2_000;

/** A team with a key and a document of its own for each writer. */
type Team = { readonly key: string; readonly collectionId: string; readonly documentIds: readonly string[] };

type Work = Scenario & { readonly teams: "one" | "many" };

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-writers-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  try {
    await migrate(cluster.url);
    const database = connect({ url: cluster.url });
    const teams: Team[] = [];
    for (let n = 0; n < writers; n += 1) teams.push(await createTeam(database, n));
    await database.close();
    const floor = await startWritersFloor(cluster.url);
    const service = await startApi(cluster.url);
    try {
      const rows: string[][] = [];
      for (const work of worksOf(teams)) rows.push(await measure(service, floor, cluster.pid, work));
      print(rows);
      await requireNoLostEdit(service, teams[0]);
    } finally {
      await Promise.all([service.stop(), floor.stop()]);
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createTeam(database: Database, n: number): Promise<Team> {
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  const adminEmail = `writer-${n}@example.com`;
  await admin.createTeam(service, { name: `Team ${n}`, adminEmail, adminName: "Writer" });
  const { key } = await admin.createApiKey(service, {
    userEmail: adminEmail,
    scopes: ["read", "write"],
    name: "Bench",
  });
  const actor = await authenticateApiKey(database, key, new Date());
  if (actor === null) throw new Error("the key of the benchmark is not valid");
  const { id: collectionId } = await invoke(service, operations.createCollection, actor, { name: "Notes" });
  const documentIds: string[] = [];
  for (let at = 0; at < writers; at += 1) {
    const input = { title: `Document ${at}`, collectionId, text: shortText, publish: true };
    documentIds.push((await invoke(service, operations.createDocument, actor, input)).id);
  }
  return { key, collectionId, documentIds };
}

function worksOf(teams: readonly Team[]): Work[] {
  const team = (n: number, where: Work["teams"]): Team => {
    const found = teams[where === "one" ? 0 : n % writers];
    if (found === undefined) throw new Error("no team");
    return found;
  };
  const documents = "/api/v1/documents";
  const work = (
    name: string,
    where: Work["teams"],
    method: Work["method"],
    path: (n: number, own: Team) => string,
    body: (n: number, own: Team) => object,
  ): Work => ({
    name,
    teams: where,
    kind: "write",
    aim: 0,
    method,
    path: documents,
    pathOf: (n) => path(n, team(n, where)),
    headersOf: (n) => ({ authorization: `Bearer ${team(n, where).key}` }),
    body: (n) => JSON.stringify(body(n, team(n, where))),
  });
  const own = (n: number, { documentIds }: Team): string => documentIds[Math.floor(n / writers) % writers] ?? "";
  const first = (_: number, { documentIds }: Team): string => documentIds[0] ?? "";
  const created = (n: number, { collectionId }: Team) => ({
    title: `Created ${n}`,
    collectionId,
    text: shortText,
    publish: true,
  });
  const appended = (n: number) => ({ op: "append", markdown: `Line ${n}` });
  const edits = (of: typeof own) => (n: number, where: Team) => `${documents}/${of(n, where)}/edits`;
  const spread = (n: number, { documentIds }: Team): string => documentIds[n % writers] ?? "";
  return [
    work("create 2 kB, one team", "one", "POST", () => documents, created),
    work("append, one team", "one", "POST", edits(spread), appended),
    work(
      "PATCH the title, one team",
      "one",
      "PATCH",
      (n, where) => `${documents}/${spread(n, where)}`,
      (n) => ({ title: `Title ${n}` }),
    ),
    work("create 2 kB, 20 teams", "many", "POST", () => documents, created),
    work("append, 20 teams", "many", "POST", edits(own), appended),
    work("append, one document", "one", "POST", edits(first), appended),
  ];
}

async function measure(service: ServerProcess, floor: ServerProcess, postgres: number, work: Work): Promise<string[]> {
  let n = 0;
  const run = async ({ port, pid }: ServerProcess, durationMs = sliceMs): Promise<MeasuredSlice> => {
    const server = { port, pid, key: "", postgresPid: postgres };
    const done = await measuredSlice(server, work, n, { durationMs, concurrency: writers });
    n += done.count;
    return done;
  };
  await run(service, 1_000);
  await run(floor, 500);
  const pairs: { ours: MeasuredSlice; theirs: MeasuredSlice }[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push({ ours: await run(service), theirs: await run(floor) });
  const latencies = pairs.flatMap(({ ours }) => ours.latencies).sort((a, b) => a - b);
  return [
    work.name,
    median(pairs.map(({ ours }) => ours.perSecond)).toFixed(0),
    median(pairs.map(({ theirs }) => theirs.perSecond)).toFixed(0),
    median(pairs.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)).toFixed(2),
    (latencies[Math.floor(latencies.length * 0.95)] ?? Number.NaN).toFixed(0),
    median(pairs.map(({ ours }) => ours.serverMs)).toFixed(2),
    median(pairs.map(({ ours }) => ours.databaseMs)).toFixed(2),
  ];
}

function print(rows: readonly string[][]): void {
  const columns = ["", "per second", "floor", "ratio", "p95 ms", "CPU ms, server", "CPU ms, PostgreSQL"];
  const table = markdownTable(columns, rows);
  console.log(table);
  if (process.argv.includes("--write")) writeResults("writers", "pnpm --filter @kb/bench writers --write", table);
}

/** Appends by all writers at once, and reads the document. @throws {Error} if a line is missing */
async function requireNoLostEdit(service: ServerProcess, team: Team | undefined): Promise<void> {
  const path = `http://127.0.0.1:${service.port}/api/v1/documents/${team?.documentIds[1]}`;
  const headers = { authorization: `Bearer ${team?.key}`, "content-type": "application/json" };
  const marks = Array.from({ length: 10 * writers }, (_, n) => `mark${n}mark`);
  await Promise.all(
    marks.map((markdown) =>
      fetch(`${path}/edits`, { method: "POST", headers, body: JSON.stringify({ op: "append", markdown }) }),
    ),
  );
  const answer = await (await fetch(path, { headers })).text();
  const lost = marks.filter((mark) => !answer.includes(mark)).length;
  console.log(`lost edits: ${lost} of ${marks.length}`);
  if (lost > 0) throw new Error(`${lost} edits were lost`);
}

await main();
