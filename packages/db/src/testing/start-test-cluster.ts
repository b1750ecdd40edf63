import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startThrowAwayCluster } from "../cluster/throw-away.ts";
import { migrate } from "../migrations.ts";
import { readStatements, requireTeams } from "./teamless-statements.ts";
import { templateDatabase } from "./template-database.ts";
import type { ClusterDetails } from "./test-cluster.ts";

/** The PostgreSQL of the run, as the process knows it that started it. */
export type TestCluster = ClusterDetails & {
  /** Stops it. @throws {Error} that lists the statements which should have named a team */
  stop(): Promise<void>;
};

/** Starts it, with a migrated database to copy. */
export async function startTestCluster(): Promise<TestCluster> {
  const cluster = await openCluster();
  const template = new URL(cluster.url);
  template.pathname = `/${templateDatabase}`;
  await migrate(template.href);
  const tenantTables = await tablesOfTeams(template.href);
  const url = new URL(cluster.url);
  url.pathname = "/postgres";
  // A database with open connections cannot be copied.
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
 * Starts a temporary PostgreSQL, or uses that of `KB_TEST_DATABASE_URL`, whose user must be allowed to create databases.
 * It needs about 300 connections.
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
