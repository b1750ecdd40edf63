import { migrate, startThrowAwayCluster } from "@kb/db";
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

// Vitest evaluates this file anew for each project, in one process: only what hangs on the process is one for the run.
const shared: NodeJS.Process & { testCluster?: Promise<TestCluster> } = process;

/** Vitest's global setup: one PostgreSQL for the run, started by the first project that has a test in it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const first = shared.testCluster === undefined;
  shared.testCluster ??= start();
  const cluster = await shared.testCluster;
  project.provide("clusterUrl", cluster.url);
  return first ? () => cluster.stop() : undefined;
}

async function start(): Promise<TestCluster> {
  const cluster = await startThrowAwayCluster({ max_connections: "300" });
  const template = new URL(cluster.url);
  template.pathname = `/${templateDatabase}`;
  await migrate(template.href);
  const url = new URL(cluster.url);
  url.pathname = "/postgres";
  await closeToConnections(url.href);
  return { url: url.href, stop: cluster.stop };
}

// A database that somebody is connected to cannot be copied.
async function closeToConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER DATABASE ${templateDatabase} ALLOW_CONNECTIONS false`);
  await client.end();
}
