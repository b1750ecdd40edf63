import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sealer } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import { connect, migrate, sql, startCluster } from "@kb/db";
import { guardedFetch } from "@kb/outgoing";
import { createLogger } from "@kb/runtime";
import { startWorker } from "@kb/worker";
import pg from "pg";

const subscriptions = 8;
const documents = 50;
const updates = 10;
/** The maximum number of concurrent deliveries of a worker for one team. */
const concurrency = 16;

/**
 * Measures how many deliveries one worker sends per second, compared to its floor: the same number of POSTs of the same
 * size by the same client at the same concurrency, each followed by one UPDATE of its row.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kb-bench-"));
  const cluster = await startCluster({ dataDir: join(folder, "data") });
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  try {
    await migrate(cluster.url);
    const address: AddressInfo | string | null = receiver.address();
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`;
    const database = connect({ url: cluster.url });
    const service = {
      database,
      clock: { now: () => new Date() },
      appUrl: "http://localhost:3000",
      sealer: sealer("a secret that only the benchmarks use, never a service", "webhooks"),
    };
    const sent = await seed(service, url);
    const product = await runWorker(service, sent);
    const waits = await measureBesideSilentReceiver(service);
    await database.close();
    const floor = await runFloor(cluster.url, url);
    console.log(`${sent} deliveries, ${concurrency} concurrent`);
    console.log(`worker ${product.toFixed(0)}/s, floor ${floor.toFixed(0)}/s, ratio ${(product / floor).toFixed(2)}`);
    console.log(
      `with one receiver that never responds: p50 ${quantile(waits, 0.5)} ms, p95 ${quantile(waits, 0.95)} ms`,
    );
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates the events. Returns the number of their deliveries. */
async function seed(service: Service, url: string): Promise<number> {
  const team = await admin.createTeam(service, { name: "Bench", adminEmail: "bench@example.com" });
  const actor = await admin.systemActor(service, team.id);
  const collection = await invoke(service, operations.createCollection, actor, { name: "Bench" });
  await service.database.acrossTeams.execute(sql`UPDATE events SET "dispatchedAt" = at`);
  for (let count = 0; count < subscriptions; count += 1) {
    await invoke(service, operations.createWebhook, actor, { url, events: ["document.updated"] });
  }
  for (let count = 0; count < documents; count += 1) {
    const given = { title: `Document ${count}`, collectionId: collection.id, publish: true };
    const { id } = await invoke(service, operations.createDocument, actor, given);
    for (let change = 0; change < updates; change += 1) {
      await invoke(service, operations.updateDocument, actor, { id, title: `Title ${change}` });
    }
  }
  return subscriptions * documents * updates;
}

type Delivering = Parameters<typeof startWorker>[0]["service"];

const work = (service: Delivering): ReturnType<typeof startWorker> =>
  startWorker({
    service,
    outgoing: guardedFetch({ allowPrivateNetwork: true }),
    logger: createLogger({ app: "bench", level: "error" }),
    trashRetentionDays: 0,
  });

async function runWorker(service: Delivering, sent: number): Promise<number> {
  const startedAt = performance.now();
  const worker = work(service);
  const delivered = async (): Promise<number> => {
    const [row] = await service.database.acrossTeams.rows<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'delivered'`,
    );
    return row?.count ?? 0;
  };
  while ((await delivered()) < sent) await new Promise((resolve) => setTimeout(resolve, 50));
  const seconds = (performance.now() - startedAt) / 1000;
  await worker.close();
  return sent / seconds;
}

const healthy = 9;
const changes = 40;

/** Measures milliseconds from commit to arrival at nine receivers, while a tenth accepts connections and never responds. */
async function measureBesideSilentReceiver(service: Delivering): Promise<number[]> {
  const arrived = new Map<string, number>();
  const receiver = createServer((request, response) => {
    if (request.url === "/silent") return;
    const id = String(request.headers["webhook-id"]);
    request.resume().on("end", () => {
      arrived.set(`${request.url} ${id}`, performance.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = receiver.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const team = await admin.createTeam(service, { name: "Silence", adminEmail: "silence@example.com" });
  const actor = await admin.systemActor(service, team.id);
  const collection = await invoke(service, operations.createCollection, actor, { name: "Silence" });
  const paths = ["/silent", ...Array.from({ length: healthy }, (_, index) => `/${index}`)];
  for (const path of paths) {
    const given = { url: `${origin}${path}`, events: ["document.created"] };
    await invoke(service, operations.createWebhook, actor, given);
  }
  const worker = work(service);
  const committed: number[] = [];
  for (let change = 0; change < changes; change += 1) {
    await invoke(service, operations.createDocument, actor, { title: `Change ${change}`, collectionId: collection.id });
    committed.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  while (arrived.size < healthy * changes) await new Promise((resolve) => setTimeout(resolve, 50));
  receiver.closeAllConnections();
  receiver.close();
  await worker.close();
  return paths.slice(1).flatMap((path) => {
    const times = [...arrived].filter(([key]) => key.startsWith(`${path} `)).map(([, time]) => time);
    return times.sort((a, b) => a - b).map((time, index) => time - (committed[index] ?? time));
  });
}

function quantile(values: readonly number[], part: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(0);
}

async function runFloor(databaseUrl: string, url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const send = guardedFetch({ allowPrivateNetwork: true });
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM webhook_deliveries");
  const body = JSON.stringify({ data: "x".repeat(400) });
  const text = `UPDATE webhook_deliveries SET "finishedAt" = now(), "latencyMs" = 1 WHERE id = $1`;
  await pool.query(`CREATE INDEX bench_id ON webhook_deliveries (id)`);
  const startedAt = performance.now();
  const waiting = rows.values();
  const one = async (): Promise<void> => {
    for (const { id } of waiting) {
      await send(url, { method: "POST", body, timeoutMs: 15_000, maxBytes: 2_048, onOversize: "truncate" });
      await pool.query({ name: "finish", text, values: [id] });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.end();
  return rows.length / seconds;
}

await main();
