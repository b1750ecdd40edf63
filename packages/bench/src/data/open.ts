import { resolve } from "node:path";
import { type Cluster, migrate, startCluster } from "@kb/db";
import pg from "pg";
import { benchData } from "../env.ts";
import { makeDataSet } from "./make.ts";
import { fillSource, type SourceOptions } from "./source.ts";

/** A database that is kept between runs. */
export type KeptDatabase = { readonly url: string; readonly count: number; readonly characters: number };

/** The cluster that holds the data sets, in the folder of `KB_BENCH_DATA`. */
export type Store = {
  readonly cluster: Cluster;
  /** The database of a size, which is made where it is not there yet. */
  open(count: number, source: SourceOptions): Promise<KeptDatabase>;
  stop(): Promise<void>;
};

/** Settings of the server while data sets are made: nothing of it is worth keeping should the machine fail meanwhile. */
const whileFilling = { fsync: "off", full_page_writes: "off", max_wal_size: "4GB", autovacuum: "off" };

/** Starts the cluster; `filling` for a run that only makes data sets. */
export async function openStore({ filling = false }: { filling?: boolean } = {}): Promise<Store> {
  const settings = filling ? whileFilling : { autovacuum: "on" };
  const cluster = await startCluster({ dataDir: resolve(benchData), settings });
  return {
    cluster,
    open: async (count, source) => {
      const name = `documents_${count}_${source.characters}`;
      const url = urlOf(cluster, name);
      if (!(await exists(cluster, name))) {
        const template = await sourceDatabase(cluster, source);
        await finished(cluster, name, template, (made) => makeDataSet(made, count, say(name)));
      }
      await migrate(url);
      return { url, count, characters: source.characters };
    },
    // One that another run started is that run's to stop.
    stop: async () => (cluster.reused ? undefined : cluster.stop()),
  };
}

/** The real documents alone, from which all sizes are made. */
async function sourceDatabase(cluster: Cluster, source: SourceOptions): Promise<string> {
  const name = `source_${source.characters}`;
  if (!(await exists(cluster, name))) await finished(cluster, name, "template1", (url) => fillSource(url, source));
  return name;
}

/** Makes a database under another name until it is whole, so that a half-made one is never measured. */
async function finished(
  cluster: Cluster,
  name: string,
  template: string,
  fill: (url: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${name}_unfinished`;
  await maintain(cluster, `DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await maintain(cluster, `CREATE DATABASE ${unfinished} TEMPLATE ${template}`);
  const url = urlOf(cluster, unfinished);
  await migrate(url);
  await fill(url);
  await maintain(cluster, `ALTER DATABASE ${unfinished} RENAME TO ${name}`);
}

function say(name: string): (message: string) => void {
  const started = performance.now();
  return (message) => console.error(`${name}: ${message} (${((performance.now() - started) / 1000).toFixed(0)} s)`);
}

async function exists(cluster: Cluster, name: string): Promise<boolean> {
  return (await maintain(cluster, `SELECT 1 FROM pg_database WHERE datname = '${name}'`)) > 0;
}

async function maintain(cluster: Cluster, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: urlOf(cluster, "postgres") });
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

function urlOf(cluster: Cluster, database: string): string {
  const url = new URL(cluster.url);
  url.pathname = `/${database}`;
  return url.href;
}
