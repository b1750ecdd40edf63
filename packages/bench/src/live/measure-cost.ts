import pg from "pg";
import { median } from "../median.ts";
import { cpuMs, type ServerProcess } from "../processes.ts";
import { LogWriter, send } from "./log-writer.ts";
import type { LiveSite } from "./open-live-site.ts";

/** The costs of a batch: processor time of the instance in milliseconds, and bytes of the database and of its log. */
export type BatchCost = { readonly cpuMs: number; readonly rowBytes: number; readonly walBytes: number };

/** Sends batches one after another to the first instance. */
export async function measureBatches(site: LiveSite, documentId: string, count: number): Promise<BatchCost> {
  const instance = firstOf(site);
  const writer = await LogWriter.open(site, instance.port, documentId);
  await writer.write(Math.ceil(count / 4));
  const client = new pg.Client({ connectionString: site.cluster.url });
  await client.connect();
  try {
    const before = await sizesOf(client);
    const costMs = await cpuOf(instance, () => writer.write(count));
    const after = await sizesOf(client);
    const walBytes = (after.walBytes - before.walBytes) / count;
    return { cpuMs: costMs / count, rowBytes: after.tableBytes / after.rows, walBytes };
  } finally {
    await client.end();
  }
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

/** Returns the processor time of the instance in which a reader has a batch saved, in milliseconds, the mean. */
export async function measureCheckpoint(site: LiveSite, documentId: string, rounds: number): Promise<number> {
  const instance = firstOf(site);
  const writer = await LogWriter.open(site, instance.port, documentId);
  let costMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    await writer.write(1);
    costMs += await cpuOf(instance, () => readMinimum(site, instance, documentId));
    costMs -= await cpuOf(instance, () => readMinimum(site, instance, documentId));
  }
  return costMs / rounds;
}

/** Reads a document of which the answer is small. */
const readMinimum = ({ people }: LiveSite, { port }: ServerProcess, id: string): Promise<unknown> =>
  send(port, people[0], `/api/v1/documents/${id}/revisions?limit=1`);

/** Returns the processor time of the instance for an append to a document, in milliseconds, the mean. */
export async function measureAppend(site: LiveSite, documentId: string, rounds: number): Promise<number> {
  const instance = firstOf(site);
  const path = `/api/v1/documents/${documentId}/edits`;
  const costMs = await cpuOf(instance, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const edit = { op: "append", markdown: `Line ${round}` };
      await send(instance.port, site.people[0], path, edit);
    }
  });
  return costMs / rounds;
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
