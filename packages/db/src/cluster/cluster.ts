import { existsSync } from "node:fs";
import { resolve } from "node:path";
import pg from "pg";
import { existingPassword, initialize } from "./initialize.ts";
import { launch, pause, type Settings, untilServing } from "./launch.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { makeFolder } from "./make-folder.ts";
import { findPostmaster, type Postmaster } from "./postmaster.ts";
import { isPostmasterOf } from "./processes.ts";
import { programs } from "./programs.ts";
import { runAs } from "./run-as.ts";

/** Options of the embedded PostgreSQL. */
export type ClusterOptions = {
  /** The data folder of the service; created if it is missing. */
  dataDir: string;
  /** Receives progress messages. */
  onProgress?: (message: string) => void;
  /** Loopback port. Default: the one of the last start, or a free one at the first start. */
  port?: number;
  /** Additional settings of postgresql.conf; the defaults are durable. */
  settings?: Settings;
};

/** A running PostgreSQL. */
export type Cluster = {
  /** Contains the password; the database is `kb`, which `migrate` creates. */
  url: string;
  port: number;
  /** Process id of the postmaster. */
  pid: number;
  /** Whether it was already running, because an earlier service ended without stopping it. */
  reused: boolean;
  /** Ends every connection, flushes all data and waits until the process has ended. */
  stop(): Promise<void>;
};

const stopWithinMs = 30_000;

/**
 * Starts PostgreSQL on `dataDir`, or takes over the one that still runs there. It keeps running if this process is killed,
 * and recovers all acknowledged writes if it is killed. Only one caller per folder: see `lockDataDir`.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { onProgress = () => {}, port, settings = {} } = options;
  const dataDir = resolve(options.dataDir);
  const layout = layoutOf(dataDir);
  makeFolder(dataDir);
  const running = await findServing(layout, onProgress);
  if (running !== null) return clusterOf(layout, running, true);
  const account = runAs();
  const found = programs(account);
  if (!existsSync(layout.pgData)) onProgress("creating the database");
  await initialize(layout, found, account, settings.fsync !== "off");
  onProgress("starting the database");
  return clusterOf(layout, await launch(layout, found, account, { settings, port, onProgress }), false);
}

/** Returns the URL of the cluster that runs on a data folder; null if none does. */
export function describeCluster(dataDir: string): { url: string; pid: number } | null {
  const layout = layoutOf(resolve(dataDir));
  const postmaster = findPostmaster(layout.pgData);
  return postmaster === null ? null : { url: urlOf(layout, postmaster.port), pid: postmaster.pid };
}

// A postmaster keeps its process and file for a moment after it was killed, so only a connection proves that it serves.
async function findServing(layout: Layout, onProgress: (message: string) => void): Promise<Postmaster | null> {
  if (findPostmaster(layout.pgData) === null) return null;
  onProgress("taking over the running database");
  return untilServing(
    () => findPostmaster(layout.pgData) === null,
    async () => {
      const found = findPostmaster(layout.pgData);
      return found?.ready === true && (await acceptsConnections(urlOf(layout, found.port))) ? found : null;
    },
  );
}

async function acceptsConnections(url: string): Promise<boolean> {
  const maintenance = new URL(url);
  maintenance.pathname = "/postgres";
  const client = new pg.Client({ connectionString: maintenance.href, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

function clusterOf(layout: Layout, { pid, port }: Postmaster, reused: boolean): Cluster {
  return { url: urlOf(layout, port), port, pid, reused, stop: () => stop(layout, pid) };
}

function urlOf(layout: Layout, port: number): string {
  const password = existingPassword(layout);
  if (password === null) throw new Error(`the password of the database is missing: ${layout.password}`);
  return `postgresql://postgres:${password}@127.0.0.1:${port}/kb`;
}

// SIGINT is PostgreSQL's fast shutdown. If it hangs, SIGQUIT loses no data either, but the next start has to recover.
async function stop(layout: Layout, pid: number): Promise<void> {
  const runs = () => isPostmasterOf(pid, layout.pgData);
  if (!runs()) return;
  process.kill(pid, "SIGINT");
  const deadline = performance.now() + stopWithinMs;
  while (runs() && performance.now() < deadline) await pause(10);
  if (runs()) process.kill(pid, "SIGQUIT");
  while (runs()) await pause(10);
}
