import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { describeCluster } from "@kb/db";
import { freePort } from "@kb/db/testing";
import pg from "pg";
import { beginSession } from "../assistant-session.ts";
import { startServer } from "../processes.ts";
import { pause, residentBytes } from "../soak/process-state.ts";
import { type RunningService, startService } from "../soak/service.ts";
import { writeResults } from "../write-results.ts";
import { importCorpus } from "./import-corpus.ts";
import { assistantReads, measurePath, type Servers } from "./measure.ts";
import { hotPaths } from "./paths.ts";
import { recordAnswers } from "./record-answers.ts";
import { assistantTable, type MeasuredPath, pathTable } from "./report.ts";

// Compares `kb start`, right after an import, with a bare handler that runs one prepared statement and returns the same bytes, and
// with the recorded figures of other products. `--only PATTERN` measures some paths, `--profile FOLDER` writes a CPU
// profile of the service.

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    profile: { type: "string" },
    rounds: { type: "string", default: "3" },
    write: { type: "boolean" },
  },
});
const only = values.only === undefined ? undefined : new RegExp(values.only);
const rounds = Number(values.rounds);
const isMeasured = (name: string): boolean => only?.test(name) !== false;
const profileFlags = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(values.profile)}`];
const idleMs = 20_000;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-peers-"));
  const variables = { LOG_LEVEL: "info" };
  const start = (keyCount: number, flags: readonly string[]) =>
    startService(folder, folder, keyCount, variables, { logFile: join(folder, "service.log"), flags });
  try {
    const service = await start(1, profileFlags);
    const tables = await measureService(service, folder).finally(() => service.stop());
    if (only === undefined) tables.push(memoryLine(await idleBytes(await start(0, []))));
    const text = tables.join("\n\n");
    console.log(text);
    if (values.write === true) writeResults("peers", "pnpm --filter @kb/bench peers --write", text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports the documents and measures the paths beside their floor; returns the tables. */
async function measureService(service: RunningService, folder: string): Promise<string[]> {
  const [key = ""] = service.keys;
  const cluster = describeCluster(join(folder, "kb"));
  if (cluster === null) throw new Error("PostgreSQL does not run");
  await holdStateAfterImport(cluster.url);
  const subject = await importCorpus(service.origin, key);
  const paths = hotPaths(subject).filter(({ scenario }) => isMeasured(scenario.name));
  const recordings = join(folder, "recordings.json");
  writeFileSync(recordings, JSON.stringify(await recordAnswers(service.origin, key, paths)));
  const port = await freePort();
  const script = resolve(import.meta.dirname, "../floor.ts");
  const floor = await startServer(script, [recordings, cluster.url, String(port)], port);
  try {
    const servers: Servers = {
      service: { port: Number(new URL(service.origin).port), key, pid: service.pid, postgresPid: cluster.pid },
      floor: { port, key, pid: floor.pid, postgresPid: cluster.pid },
    };
    const measured: MeasuredPath[] = [];
    for (const path of paths) measured.push(await measurePath(servers, path, { rounds }));
    if (!isMeasured("assistants")) return [pathTable(measured)];
    const session = await beginSession(servers.service, key);
    const reads = await assistantReads(servers.service, subject, session, { rounds });
    return [pathTable(measured), assistantTable(reads)];
  } finally {
    await floor.stop();
  }
}

/** Returns the resident memory of a service that nobody uses, and stops it. */
async function idleBytes(service: RunningService): Promise<number> {
  await pause(idleMs);
  const bytes = residentBytes(service.pid);
  await service.stop();
  return bytes;
}

const memoryLine = (bytes: number): string =>
  `Started again, \`kb start\` takes ${(bytes / 1024 ** 2).toFixed(0)} MB after 20 s without a request, without PostgreSQL (target: at most 200).`;

/** Prevents that PostgreSQL collects statistics and merges index entries, and creates the table of the floor. */
async function holdStateAfterImport(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("ALTER SYSTEM SET autovacuum = off");
  await client.query("SELECT pg_reload_conf()");
  await client.query("CREATE TABLE floor (id uuid PRIMARY KEY, body text NOT NULL)");
  await client.end();
}

await main();
