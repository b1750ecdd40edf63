import pg from "pg";
import { median } from "../median.ts";
import { cpuMs, type ServerProcess } from "../processes.ts";
import { startWritersFloor } from "../start-writers-floor.ts";
import { LogWriter, oneLetter, send } from "./log-writer.ts";
import type { LiveSite } from "./open-live-site.ts";

/** The costs of a batch: processor time of the instance in milliseconds, and bytes of the database and of its log. */
export type BatchCost = { readonly cpuMs: number; readonly rowBytes: number; readonly walBytes: number };

/** Processor time of the first of some work, and of each one once it was done often, in milliseconds. */
export type WorkCost = { readonly firstMs: number; readonly usualMs: number };

/** How often work is done before it is measured, and while it is. */
export type Rounds = { readonly before: number; readonly measured: number };

/** Sends batches one after another to the first instance. */
export async function measureBatches(site: LiveSite, documentId: string, rounds: Rounds): Promise<BatchCost> {
  const instance = firstOf(site);
  const writer = await LogWriter.open(site, instance.port, documentId);
  await writer.write(rounds.before);
  const client = new pg.Client({ connectionString: site.cluster.url });
  await client.connect();
  try {
    const { measured } = rounds;
    const before = await sizesOf(client);
    const costMs = await cpuOf(instance, () => writer.write(measured));
    const after = await sizesOf(client);
    const walBytes = (after.walBytes - before.walBytes) / measured;
    return { cpuMs: costMs / measured, rowBytes: after.tableBytes / after.rows, walBytes };
  } finally {
    await client.end();
  }
}

/** Returns the processor time in which a bare handler inserts one row with the steps of a batch, in milliseconds. */
export async function measureFloorOfBatch(site: LiveSite, { before, measured }: Rounds): Promise<number> {
  const floor = await startWritersFloor(site.cluster.url);
  try {
    const write = (): Promise<unknown> => send(floor.port, site.people[0], "/", { data: oneLetter });
    await repeat(before, write);
    return (await cpuOf(floor, () => repeat(measured, write))) / measured;
  } finally {
    await floor.stop();
  }
}

/** Returns the processor time of each of the first batches of a new instance, in milliseconds. */
export async function measureFirstBatches(site: LiveSite, documentId: string, count: number): Promise<number> {
  const instance = await site.startInstance();
  const writer = await LogWriter.open(site, instance.port, documentId);
  return (await cpuOf(instance, () => writer.write(count))) / count;
}

type Sizes = { readonly rows: number; readonly tableBytes: number; readonly walBytes: number };

async function sizesOf(client: pg.Client): Promise<Sizes> {
  const { rows } = await client.query<Sizes>(`SELECT (SELECT count(*)::float8 FROM live_batches) AS rows,
    pg_total_relation_size('live_batches')::float8 AS "tableBytes",
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "walBytes"`);
  const [sizes] = rows;
  if (sizes === undefined) throw new Error("PostgreSQL has no sizes");
  return sizes;
}

/** Returns the processor time of the instance in which a reader has a batch saved. */
export async function measureCheckpoint(site: LiveSite, documentId: string, rounds: Rounds): Promise<WorkCost> {
  const instance = firstOf(site);
  const writer = await LogWriter.open(site, instance.port, documentId);
  const read = () => readMinimum(site, instance, documentId);
  const { firstMs, usualMs } = await costOf(instance, rounds, async () => {
    await writer.write(1);
    await read();
  });
  const besideMs = await cpuOf(instance, async () => {
    await repeat(rounds.measured, read);
    await writer.write(rounds.measured);
  });
  return { firstMs, usualMs: usualMs - besideMs / rounds.measured };
}

/** Reads a document of which the answer is small. */
const readMinimum = ({ people }: LiveSite, { port }: ServerProcess, id: string): Promise<unknown> =>
  send(port, people[0], `/api/v1/documents/${id}/revisions?limit=1`);

/** Returns the processor time of the instance for an append to a document. */
export function measureAppend(site: LiveSite, documentId: string, rounds: Rounds): Promise<WorkCost> {
  const instance = firstOf(site);
  const edit = { op: "append", markdown: "One more line" };
  const path = `/api/v1/documents/${documentId}/edits`;
  return costOf(instance, rounds, () => send(instance.port, site.people[0], path, edit));
}

/** A service that has been at work costs less than a new one: the code is compiled, and threads have started. */
async function costOf(
  instance: ServerProcess,
  { before, measured }: Rounds,
  work: () => Promise<unknown>,
): Promise<WorkCost> {
  const firstMs = await cpuOf(instance, work);
  await repeat(before - 1, work);
  return { firstMs, usualMs: (await cpuOf(instance, () => repeat(measured, work))) / measured };
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work();
}

/** Returns the time in which a new instance opens a document for the first time, in milliseconds, the median. */
export async function measureColdOpen(site: LiveSite, documentId: string, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { port } = await site.startInstance();
    await fetch(`http://127.0.0.1:${port}/api/health`);
    const before = performance.now();
    await send(port, site.people[0], "/api/live.open", { documentId });
    times.push(performance.now() - before);
  }
  return median(times);
}

function firstOf({ instances }: LiveSite): ServerProcess {
  const [instance] = instances;
  if (instance === undefined) throw new Error("no instance runs");
  return instance;
}

/** Returns the processor time that an instance used for some work, with its threads. */
async function cpuOf({ pid }: ServerProcess, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs(pid);
  await work();
  const after = cpuMs(pid);
  return before === undefined || after === undefined ? Number.NaN : after - before;
}
