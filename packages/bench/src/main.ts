import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { connect, migrate, startCluster } from "@kb/db";
import { freePort } from "@kb/db/testing";
import { startApi } from "./api-process.ts";
import { measure, type Result } from "./measure.ts";
import { type ServerProcess, startServer } from "./processes.ts";
import { record } from "./record.ts";
import { scenarios } from "./scenarios.ts";
import { seed } from "./seed.ts";
import { markdownTable, writeResults } from "./write-results.ts";

/**
 * Compares the REST API with its floor on a new database, and prints a table of ratios. PostgreSQL gets no time to collect
 * statistics and to merge index entries: users search right after an import, too.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-bench-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  try {
    await migrate(cluster.url);
    const database = connect({ url: cluster.url });
    const subject = await seed(database);
    await database.close();
    const list = scenarios(subject);
    const recordings = join(folder, "recordings.json");
    writeFileSync(recordings, JSON.stringify(await record(cluster.url, subject.key, list)));
    const servers = await Promise.all([startApi(cluster.url), startFloor(recordings, cluster.url)]);
    try {
      const results: Result[] = [];
      for (const scenario of list) results.push(await measure(servers, subject.key, scenario));
      print(results);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startFloor(recordings: string, url: string): Promise<ServerProcess> {
  const port = await freePort();
  return startServer(resolve(import.meta.dirname, "floor.ts"), [recordings, url, String(port)], port);
}

function print(results: readonly Result[]): void {
  const columns = ["", "requests/s", "floor", "ratio", "target", "p50 ms", "p95 ms", "CPU ratio"];
  const rows = results.map((result) => [
    result.name,
    result.perSecond.toFixed(0),
    result.floorPerSecond.toFixed(0),
    result.ratio.toFixed(2),
    `≥ ${result.aim}`,
    result.p50.toFixed(1),
    result.p95.toFixed(1),
    result.cpuRatio === undefined ? "–" : result.cpuRatio.toFixed(2),
  ]);
  console.log(markdownTable(columns, rows));
  if (!process.argv.includes("--write")) return;
  const kept = [0, 3, 4, 7];
  const ratios = [columns, ...rows].map((row) => kept.map((at) => row[at] ?? ""));
  writeResults("floor", "pnpm bench --write", markdownTable(ratios[0] ?? [], ratios.slice(1)));
}

await main();
