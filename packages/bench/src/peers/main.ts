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
import { startService } from "../soak/service.ts";
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
const flags = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(values.profile)}`];
const idleMs = 20_000;
const megabyte = 1024 ** 2;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-peers-"));
  const variables = { LOG_LEVEL: "info" };
  const service = await startService(folder, folder, 1, variables, { logFile: join(folder, "service.log"), flags });
  try {
    const [key = ""] = service.keys;
    if (only === undefined) await pause(idleMs);
    const idleBytes = residentBytes(service.pid);
    const cluster = describeCluster(join(folder, "kb"));
    if (cluster === null) throw new Error("PostgreSQL does not run");
    await holdStateAfterImport(cluster.url);
    const subject = await importCorpus(service.origin, key);
    const paths = hotPaths(subject).filter(({ scenario }) => isMeasured(scenario.name));
    const recordings = join(folder, "recordings.json");
    writeFileSync(recordings, JSON.stringify(await recordAnswers(service.origin, key, paths)));
    const port = await freePort();
    const floor = await startServer(
      resolve(import.meta.dirname, "../floor.ts"),
      [recordings, cluster.url, String(port)],
      port,
    );
    try {
      const servers: Servers = {
        service: { port: Number(new URL(service.origin).port), key, pid: service.pid, postgresPid: cluster.pid },
        floor: { port, key, pid: floor.pid, postgresPid: cluster.pid },
      };
      let largestBytes = 0;
      const sample = (): void => {
        largestBytes = Math.max(largestBytes, residentBytes(service.pid));
      };
      const measured: MeasuredPath[] = [];
      for (const path of paths) measured.push(await measurePath(servers, path, { rounds, sample }));
      const tables = [pathTable(measured)];
      if (isMeasured("assistants")) {
        const session = await beginSession(servers.service, key);
        tables.push(assistantTable(await assistantReads(servers.service, subject, session, { rounds, sample })));
      }
      const memory = `Resident memory of \`kb start\` without PostgreSQL: ${(idleBytes / megabyte).toFixed(0)} MB idle (target ≤ 200), at most ${(largestBytes / megabyte).toFixed(0)} MB under this load (target ≤ 450).`;
      const text = [...tables, memory].join("\n\n");
      console.log(text);
      if (values.write === true) writeResults("peers", "pnpm --filter @kb/bench peers --write", text);
    } finally {
      await floor.stop();
    }
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

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
