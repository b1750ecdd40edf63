import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, startCluster } from "@kb/db";
import pg from "pg";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The test cluster's URL, naming its maintenance database. */
    clusterUrl: string;
  }
}

/** The migrated database that every test database is a copy of. */
export const templateDatabase = "kb_template";

type TestCluster = { url: string; stop(): Promise<void> };

let starting: Promise<TestCluster> | undefined;

/** Vitest's global setup: one PostgreSQL for the run, started by the first project that has a test in it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const first = starting === undefined;
  starting ??= start();
  const cluster = await starting;
  project.provide("clusterUrl", cluster.url);
  return first ? () => cluster.stop() : undefined;
}

// Nothing here outlives the run, so nothing has to survive a power cut.
const volatile = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "64MB",
};

async function start(): Promise<TestCluster> {
  const dataDir = mkdtempSync(join(tmpdir(), "kb-tests-"));
  const cluster = await startCluster({ dataDir, settings: volatile });
  const reaper = leaveNothingBehind(cluster.pid, dataDir);
  const template = new URL(cluster.url);
  template.pathname = `/${templateDatabase}`;
  await migrate(template.href);
  const url = new URL(cluster.url);
  url.pathname = "/postgres";
  await closeToConnections(url.href);
  const stop = async (): Promise<void> => {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
    reaper.end();
  };
  return { url: url.href, stop };
}

// A database that somebody is connected to cannot be copied.
async function closeToConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER DATABASE ${templateDatabase} ALLOW_CONNECTIONS false`);
  await client.end();
}

/**
 * A shell in a session of its own that waits for the end of its input, which comes however this process ends (also by
 * SIGKILL), and then removes the cluster if it is still there.
 */
function leaveNothingBehind(pid: number, dataDir: string): { end(): void } {
  const script = `cat >/dev/null
    [ -f "$2/postgres/postmaster.pid" ] || exit 0
    kill -INT "$1"; for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" 2>/dev/null || break; sleep 0.5; done
    kill -KILL "$1"; rm -rf "$2"`;
  const shell = spawn("sh", ["-c", script, "sh", String(pid), dataDir], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.unref();
  const { stdin } = shell;
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return { end: () => stdin.end() };
}
