import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authenticateApiKey, decideDocument, readableDocuments } from "@kb/auth";
import { admin, type Service } from "@kb/core";
import { connect, type Database, migrate, sql, startCluster } from "@kb/db";
import { processLimiter } from "@kb/runtime";
import { startApi } from "./api-process.ts";
import { slice } from "./load.ts";
import { median } from "./median.ts";
import { childrenCpuMs, cpuMs, type ServerProcess } from "./processes.ts";
import type { Scenario } from "./scenarios.ts";
import { seed } from "./seed.ts";

// Measures the cost of access control: the CPU time of authentication, policy and limiter per request, and the list of a
// restricted key with many entries compared to that of a plain key, alternating on one server.

const entries = 500;
const aim = 0.8;
const rounds = 9;
const sliceMs = 1_500;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-bench-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  try {
    await migrate(cluster.url);
    const database = connect({ url: cluster.url });
    const { key } = await seed(database);
    const restricted = await createRestrictedKey(database);
    await database.acrossTeams.execute(sql`VACUUM ANALYZE`);
    await printCosts(database, { plain: key, restricted });
    await database.close();
    const server = await startApi(cluster.url);
    try {
      for (const list of lists) await printRatio([server, cluster], list, key, restricted);
    } finally {
      await server.stop();
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a key that may read a collection and has separate entries for `entries - 1` of its documents. */
async function createRestrictedKey(database: Database): Promise<string> {
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  const rows = await database.acrossTeams.rows<{ id: string; collectionId: string }>(
    sql`SELECT id, "collectionId" FROM documents ORDER BY "updatedAt" DESC LIMIT ${entries - 1}`,
  );
  const [first] = rows;
  if (first === undefined) throw new Error("there are no documents");
  const restrictions = {
    collections: { [first.collectionId]: "read" },
    documents: Object.fromEntries(rows.map(({ id }) => [id, "read"])),
  };
  const { key } = await admin.createApiKey(service, { userEmail: "bench@example.com", scopes: ["read"], restrictions });
  return key;
}

const calls = 3_000;

/** Returns the CPU time of this process per call, in microseconds. */
async function cpuMicroseconds(run: () => unknown): Promise<number> {
  for (let call = 0; call < calls / 10; call += 1) await run();
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

async function printCosts(database: Database, keys: Readonly<Record<string, string>>): Promise<void> {
  const limiter = processLimiter();
  console.log("| CPU time per request | µs |\n| --- | --- |");
  const costs: number[] = [];
  const print = async (name: string, run: () => unknown): Promise<void> => {
    const cost = await cpuMicroseconds(run);
    costs.push(cost);
    console.log(`| ${name} | ${cost.toFixed(1)} |`);
  };
  const limit = { limit: 100, windowMs: 60_000 };
  for (const [name, key] of Object.entries(keys)) {
    const actor = await authenticateApiKey(database, key, new Date());
    if (actor === null) throw new Error("the key of the benchmark is not valid");
    const facts = {
      level: "write",
      keyLevel: "read",
      createdById: null,
      publishedAt: new Date(),
      deletedAt: null,
    } as const;
    await print(`authentication, ${name} key`, () => authenticateApiKey(database, key, new Date()));
    await print(`policy of one document, ${name} key`, () => decideDocument(actor, "read", facts));
    await print(`policy of a list as SQL, ${name} key`, () => readableDocuments(actor).text);
  }
  await print("rate limit", () => limiter.take({ ...limit, key: String(Math.random()).slice(0, 4) }));
  const [authentication = 0, row = 0, list = 0] = costs;
  console.log(`| total, plain key | ${(authentication + row + list + (costs.at(-1) ?? 0)).toFixed(1)} |\n`);
}

const lists: readonly Scenario[] = [
  { name: "list 25", kind: "read", aim, method: "GET", path: "/api/v1/documents" },
  { name: "search, a common word", kind: "read", aim, method: "GET", path: "/api/v1/search?query=component" },
];

type Slice = { readonly perSecond: number; readonly cpuMs: number };

/** Alternates between the keys, so that a slower machine affects both. Adds the CPU time of PostgreSQL to the service's. */
async function printRatio(
  [server, cluster]: readonly [ServerProcess, { readonly pid: number }],
  scenario: Scenario,
  plain: string,
  restricted: string,
): Promise<void> {
  const cpu = (): number => (cpuMs(server.pid) ?? Number.NaN) + (childrenCpuMs(cluster.pid) ?? Number.NaN);
  const run = async (key: string): Promise<Slice> => {
    const before = cpu();
    const { perSecond, count } = await slice({ port: server.port, key }, scenario, 0, sliceMs);
    return { perSecond, cpuMs: (cpu() - before) / count };
  };
  await run(plain);
  await run(restricted);
  const pairs: { plain: Slice; restricted: Slice }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ plain: await run(plain), restricted: await run(restricted) });
  }
  const shown = (of: "plain" | "restricted"): string =>
    `${median(pairs.map((pair) => pair[of].perSecond)).toFixed(0)}/s at ${median(pairs.map((pair) => pair[of].cpuMs)).toFixed(2)} ms of CPU`;
  const ratio = median(pairs.map((pair) => pair.restricted.perSecond / pair.plain.perSecond));
  const cpuRatio = median(pairs.map((pair) => pair.plain.cpuMs / pair.restricted.cpuMs));
  console.log(
    `${scenario.name}: plain key ${shown("plain")}, restricted key with ${entries} entries ${shown("restricted")}: ratio ${ratio.toFixed(2)}, CPU ratio ${cpuRatio.toFixed(2)} (target ≥ ${aim})`,
  );
}

await main();
