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
  /** Returns the database of a size, and creates it first if it is missing. */
  open(count: number, source: SourceOptions): Promise<KeptDatabase>;
  stop(): Promise<void>;
};

/** Server settings while data sets are created. They risk the data, which a crash would make useless anyway. */
const fillingSettings = { fsync: "off", full_page_writes: "off", max_wal_size: "4GB", autovacuum: "off" };

/** Starts the cluster. `filling` is for a run that only creates data sets. */
export async function openStore({ filling = false }: { filling?: boolean } = {}): Promise<Store> {
  const settings = filling ? fillingSettings : { autovacuum: "on" };
  const cluster = await startCluster({ dataDir: resolve(benchData), settings });
  return {
    cluster,
    open: async (count, source) => {
      const name = `documents_${count}_${source.characters}`;
      const url = urlOf(cluster, name);
      if (!(await exists(cluster, name))) {
        const template = await openSourceDatabase(cluster, source);
        await createComplete(cluster, name, template, (made) => makeDataSet(made, count, progressPrinter(name)));
      }
      await migrate(url);
      return { url, count, characters: source.characters };
    },
    // Leaves a cluster that another run started to that run.
    stop: async () => (cluster.reused ? undefined : cluster.stop()),
  };
}

/** Returns the database with only the real documents, the template of all sizes. */
async function openSourceDatabase(cluster: Cluster, source: SourceOptions): Promise<string> {
  const name = `source_${source.characters}`;
  if (!(await exists(cluster, name)))
    await createComplete(cluster, name, "template1", (url) => fillSource(url, source));
  return name;
}

/** Creates a database under another name until it is complete, so that a partial one is never measured. */
async function createComplete(
  cluster: Cluster,
  name: string,
  template: string,
  fill: (url: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${name}_unfinished`;
  await runStatement(cluster, `DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await runStatement(cluster, `CREATE DATABASE ${unfinished} TEMPLATE ${template}`);
  const url = urlOf(cluster, unfinished);
  await migrate(url);
  await fill(url);
  await runStatement(cluster, `ALTER DATABASE ${unfinished} RENAME TO ${name}`);
}

function progressPrinter(name: string): (message: string) => void {
  const started = performance.now();
  return (message) => console.error(`${name}: ${message} (${((performance.now() - started) / 1000).toFixed(0)} s)`);
}

async function exists(cluster: Cluster, name: string): Promise<boolean> {
  return (await runStatement(cluster, `SELECT 1 FROM pg_database WHERE datname = '${name}'`)) > 0;
}

async function runStatement(cluster: Cluster, statement: string): Promise<number> {
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
