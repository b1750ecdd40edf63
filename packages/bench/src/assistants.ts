import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authenticateApiKey } from "@kb/auth";
import { invoke, operations } from "@kb/core";
import { connect, type Database, migrate, sql, startCluster } from "@kb/db";
import { redisServer } from "@kb/runtime/testing";
import { startApp } from "./api-process.ts";
import { type Pair, type ProtocolRevision, pairs, type Subjects } from "./assistant-scenarios.ts";
import { beginSession } from "./assistant-session.ts";
import { measure } from "./measure.ts";
import type { ServerProcess } from "./processes.ts";
import type { Scenario, Subject } from "./scenarios.ts";
import { seed } from "./seed.ts";

/** A tool call runs more code than a route, so it takes longer until all of it is compiled. */
const warmUpMs = 8_000;

/** Compares tool calls with the same operations over REST. Each app has its own process; they share a database and Redis. */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-bench-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  const redis = await redisServer();
  try {
    await migrate(cluster.url);
    const database = connect({ url: cluster.url });
    const subject = await seed(database);
    const subjects = { documentId: subject.documentId, appendTargets: await createAppendTargets(database, subject) };
    await database.beforeTeam.execute(sql`UPDATE teams SET "mcpEnabled" = true`);
    await database.acrossTeams.execute(sql`VACUUM ANALYZE`);
    await database.close();
    const [api, withRedis, withoutRedis] = await Promise.all([
      startApp("api", cluster.url, redis.url),
      startApp("mcp", cluster.url, redis.url),
      startApp("mcp", cluster.url),
    ]);
    try {
      await compare([withRedis, api], subject.key, { name: "without sessions", aim: 0.6 }, subjects);
      const shared = await beginSession(withRedis, subject.key);
      await compare([withRedis, api], subject.key, { name: "session in Redis", aim: 0.4, session: shared }, subjects);
      const own = await beginSession(withoutRedis, subject.key);
      await compare(
        [withoutRedis, api],
        subject.key,
        { name: "session in the process", aim: 0.4, session: own },
        subjects,
      );
    } finally {
      await Promise.all([api, withRedis, withoutRedis].map((server) => server.stop()));
    }
  } finally {
    await redis.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createAppendTargets(database: Database, { key, collectionId, body }: Subject): Promise<string[]> {
  const service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  const actor = await authenticateApiKey(database, key, service.clock.now());
  if (actor === null) throw new Error("the key of the benchmark is not valid");
  const ids: string[] = [];
  for (let n = 0; n < 100; n += 1) {
    const document = { title: `Appended to ${n}`, collectionId, text: body, publish: true };
    ids.push((await invoke(service, operations.createDocument, actor, document)).id);
  }
  return ids;
}

async function compare(
  servers: readonly [ServerProcess, ServerProcess],
  key: string,
  revision: ProtocolRevision,
  subjects: Subjects,
): Promise<void> {
  for (const pair of pairs(revision, subjects)) {
    await requireSuccess(servers, key, pair);
    const result = await measure(servers, key, pair.mcp, { floorScenario: pair.rest, warmUpMs });
    const rate = `${result.perSecond.toFixed(0)}/s, over REST ${result.floorPerSecond.toFixed(0)}/s`;
    const cpu = result.cpuRatio === undefined ? "" : `, CPU ${result.cpuRatio.toFixed(2)}`;
    const latency = `p50 ${result.p50.toFixed(1)} ms, p95 ${result.p95.toFixed(1)} ms`;
    console.log(`${result.name}: ${result.ratio.toFixed(2)} (target ≥ ${result.aim}), ${rate}${cpu}, ${latency}`);
  }
}

/** Requires that one call of each succeeds, because a failed tool call also has status 200. @throws {Error} otherwise */
async function requireSuccess(
  [mcp, api]: readonly [ServerProcess, ServerProcess],
  key: string,
  pair: Pair,
): Promise<void> {
  const called = await sendOnce(mcp, key, pair.mcp);
  const response = await sendOnce(api, key, pair.rest);
  if (!called.includes('"structuredContent"') || called.includes('"isError":true'))
    throw new Error(called.slice(0, 500));
  if (!response.includes('"data"')) throw new Error(response.slice(0, 500));
}

async function sendOnce({ port }: ServerProcess, key: string, scenario: Scenario): Promise<string> {
  const body = scenario.body?.(-1);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...scenario.headers };
  const url = `http://127.0.0.1:${port}${scenario.pathOf?.(0) ?? scenario.path}`;
  const answer = await fetch(url, { method: scenario.method, headers, ...(body === undefined ? {} : { body }) });
  return answer.text();
}

await main();
