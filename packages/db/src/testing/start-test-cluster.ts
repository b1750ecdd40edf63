import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryFolder } from "@kb/testing/memory-folder";
import { startThrowAwayCluster } from "../cluster/throw-away.ts";
import { migrate } from "../migrations.ts";
import { runStatement } from "./run-statement.ts";
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
  await runStatement(url.href, `ALTER DATABASE ${templateDatabase} ALLOW_CONNECTIONS false`);
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
  if (url === undefined || url === "") return startThrowAwayCluster({ max_connections: "300" }, memoryFolder());
  const dropTemplate = async (): Promise<void> => {
    await runStatement(url, `DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
  };
  await dropTemplate();
  return { url, stop: dropTemplate };
}

async function tablesOfTeams(url: string): Promise<string[]> {
  const rows = await runStatement<{ name: string }>(
    url,
    `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'teamId' AND table_schema = 'public'`,
  );
  return rows.map(({ name }) => name);
}
