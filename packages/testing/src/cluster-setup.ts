import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, startThrowAwayCluster } from "@kb/db";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { readStatements, requireTeams } from "./teamless-statements.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The test cluster's URL, naming its maintenance database. */
    clusterUrl: string;
    /** The tables that carry `teamId`. */
    tenantTables: string[];
    /** The file that notes the statements which name no team. */
    statementLog: string;
  }
}

/** The migrated database that every test database is a copy of. */
export const templateDatabase = "kb_template";

type TestCluster = { url: string; tenantTables: string[]; statementLog: string; stop(): Promise<void> };

// Vitest evaluates this file anew for each project, in one process: only what hangs on the process is one for the run.
const shared: NodeJS.Process & { testCluster?: Promise<TestCluster> } = process;

/** Vitest's global setup: one PostgreSQL for the run, started by the first project that has a test in it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const first = shared.testCluster === undefined;
  shared.testCluster ??= start();
  const cluster = await shared.testCluster;
  project.provide("clusterUrl", cluster.url);
  project.provide("tenantTables", cluster.tenantTables);
  project.provide("statementLog", cluster.statementLog);
  return first ? () => cluster.stop() : undefined;
}

async function start(): Promise<TestCluster> {
  const cluster = await openCluster();
  const template = new URL(cluster.url);
  template.pathname = `/${templateDatabase}`;
  await migrate(template.href);
  const tenantTables = await tablesOfTeams(template.href);
  const url = new URL(cluster.url);
  url.pathname = "/postgres";
  // A database that somebody is connected to cannot be copied.
  await query(url.href, `ALTER DATABASE ${templateDatabase} ALLOW_CONNECTIONS false`);
  const folder = mkdtempSync(join(tmpdir(), "kb-test-"));
  const statementLog = join(folder, "statements.jsonl");
  const stop = async (): Promise<void> => {
    await cluster.stop();
    const teamless = readStatements(statementLog);
    rmSync(folder, { recursive: true, force: true });
    requireTeams(teamless);
  };
  return { url: url.href, tenantTables, statementLog, stop };
}

/**
 * A throw-away PostgreSQL; or the one that `KB_TEST_DATABASE_URL` names, of another version perhaps, as somebody who may
 * create databases there. It needs some 300 connections.
 */
async function openCluster(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const url = process.env.KB_TEST_DATABASE_URL;
  if (url === undefined || url === "") return startThrowAwayCluster({ max_connections: "300" });
  const dropTemplate = (): Promise<void> => query(url, `DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
  await dropTemplate();
  return { url, stop: dropTemplate };
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function tablesOfTeams(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'teamId' AND table_schema = 'public'`,
  );
  await client.end();
  return rows.map(({ name }) => name);
}
