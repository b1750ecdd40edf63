import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startThrowAwayCluster } from "@kb/db";
import { freePort } from "@kb/db/testing";
import pg from "pg";

// Measures `kb start` with open streams of changes: the statements per second while nothing happens, and the time from a
// change to each stream. `--program` measures another checkout.

const { values } = parseArgs({
  options: {
    program: { type: "string", default: resolve(import.meta.dirname, "../../../apps/kb/src/main.ts") },
    streams: { type: "string", default: "20" },
    seconds: { type: "string", default: "20" },
    changes: { type: "string", default: "100" },
  },
});
const streamCount = Number(values.streams);
const idleSeconds = Number(values.seconds);
const changeCount = Number(values.changes);

type Service = { readonly origin: string; readonly key: string; stop(): Promise<void> };

async function startService(databaseUrl: string, folder: string): Promise<Service> {
  const port = await freePort();
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    KB_DATA_DIR: folder,
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: "1000000",
    LOG_LEVEL: "error",
  };
  const child = spawn(process.execPath, [values.program, "start", "--json"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const { promise, resolve: started } = Promise.withResolvers<string>();
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (output.trimEnd().endsWith("}")) started(output);
  });
  const key = String(JSON.parse(await promise).apiKey);
  return {
    origin: `http://127.0.0.1:${port}`,
    key,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

const json = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

async function post(origin: string, path: string, headers: Record<string, string>, body: object): Promise<Response> {
  const answer = await fetch(`${origin}${path}`, {
    method: "POST",
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Opens a session of MCP that follows a document; `onUpdate` is called with the time of each update. */
async function openStream(
  { origin, key }: Service,
  documentId: string,
  onUpdate: (at: number) => void,
): Promise<() => void> {
  const version = "2025-11-25";
  const authorization = { Authorization: `Bearer ${key}` };
  const clientInfo = { name: "bench", version: "1" };
  const begun = await post(origin, "/api/mcp", authorization, {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: version, capabilities: {}, clientInfo },
  });
  await begun.text();
  const session = { "Mcp-Session-Id": begun.headers.get("mcp-session-id") ?? "", "MCP-Protocol-Version": version };
  const headers = { ...authorization, ...session };
  const params = { uri: `kb://documents/${documentId}` };
  const subscribe = { jsonrpc: "2.0", id: 1, method: "resources/subscribe", params };
  await (await post(origin, "/api/mcp", headers, subscribe)).text();
  const ending = new AbortController();
  const stream = await fetch(`${origin}/api/mcp`, {
    headers: { ...headers, Accept: "text/event-stream" },
    signal: ending.signal,
  });
  const read = async (): Promise<void> => {
    for await (const chunk of stream.body ?? []) {
      const at = performance.now();
      for (const _ of Buffer.from(chunk)
        .toString()
        .matchAll(/resources\/updated/g))
        onUpdate(at);
    }
  };
  read().catch(() => {});
  return () => ending.abort();
}

/** The statements of the service so far, by `pg_stat_statements`. */
async function countStatements(client: pg.Client): Promise<{ calls: number; texts: Map<string, number> }> {
  const { rows } = await client.query<{ query: string; calls: string }>(
    "SELECT query, sum(calls) AS calls FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%' GROUP BY query",
  );
  const texts = new Map(rows.map(({ query, calls }) => [query, Number(calls)]));
  return { calls: [...texts.values()].reduce((sum, calls) => sum + calls, 0), texts };
}

async function measureIdle(client: pg.Client): Promise<void> {
  await pause(5_000);
  const before = await countStatements(client);
  const startedAt = performance.now();
  await pause(idleSeconds * 1_000);
  const after = await countStatements(client);
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`idle with ${streamCount} streams: ${((after.calls - before.calls) / seconds).toFixed(2)} statements/s`);
  const grown = [...after.texts].map(([text, calls]) => [text, calls - (before.texts.get(text) ?? 0)] as const);
  for (const [text, calls] of grown.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a)) {
    console.log(`  ${(calls / seconds).toFixed(2)}/s  ${text.replaceAll(/\s+/g, " ").slice(0, 90)}`);
  }
}

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);

function print(name: string, delays: readonly number[]): void {
  const sorted = [...delays].sort((a, b) => a - b);
  console.log(
    `${name}: p50 ${at(sorted, 0.5)} ms, p95 ${at(sorted, 0.95)} ms, max ${at(sorted, 1)} ms (${sorted.length})`,
  );
}

async function measure(service: Service, client: pg.Client): Promise<void> {
  const authorization = { Authorization: `Bearer ${service.key}` };
  const { data: collections } = await (
    await fetch(`${service.origin}/api/v1/collections`, { headers: authorization })
  ).json();
  const made = await post(service.origin, "/api/v1/documents", authorization, {
    title: "Bench",
    collectionId: collections[0].id,
    publish: true,
  });
  const { data: document } = await made.json();
  const updates: number[] = [];
  const closers: (() => void)[] = [];
  for (let count = 0; count < streamCount; count += 1) {
    closers.push(await openStream(service, document.id, (moment) => updates.push(moment)));
  }
  await measureIdle(client);
  const fromRequest: number[] = [];
  const fromAnswer: number[] = [];
  for (let count = 0; count < changeCount; count += 1) {
    updates.length = 0;
    const sentAt = performance.now();
    const answer = await fetch(`${service.origin}/api/v1/documents/${document.id}`, {
      method: "PATCH",
      headers: { ...json, ...authorization },
      body: JSON.stringify({ title: `Bench ${count}` }),
    });
    const answeredAt = performance.now();
    await answer.text();
    while (updates.length < streamCount) await pause(1);
    for (const moment of updates) {
      fromRequest.push(moment - sentAt);
      fromAnswer.push(Math.max(0, moment - answeredAt));
    }
    await pause(50 + Math.random() * 200);
  }
  print("from the answer of a change to each stream", fromAnswer);
  print("from its request to each stream", fromRequest);
  for (const close of closers) close();
}

async function createDatabase(url: string): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = "/postgres";
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(new URL(url).pathname.slice(1))}`);
  await client.end();
}

const cluster = await startThrowAwayCluster({ shared_preload_libraries: "pg_stat_statements" });
const folder = mkdtempSync(join(tmpdir(), "kb-bench-streams-"));
await createDatabase(cluster.url);
const client = new pg.Client({ connectionString: cluster.url });
await client.connect();
try {
  await client.query("CREATE EXTENSION pg_stat_statements");
  const service = await startService(cluster.url, folder);
  try {
    await measure(service, client);
  } finally {
    await service.stop();
  }
} finally {
  await client.end();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
