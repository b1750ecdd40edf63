import pg from "pg";
import { makeAuditMonths } from "./audit-months.ts";
import { documentStatements, historyStatements, preparation, type TeamPlan } from "./team-sql.ts";

const batch = 20_000;
const filledTables = [
  "documents",
  "document_bodies",
  "document_tags",
  "search_terms",
  "audit_entries",
  "tombstones",
  "events",
  "revision_bodies",
  "document_revisions",
  "webhook_deliveries",
];

/**
 * Fills teams with documents by INSERT … SELECT from the schema `source`, and drops the schema. Creates the indexes at the
 * end, like a restore, and runs VACUUM ANALYZE in place of autovacuum.
 */
export async function fillTeams(
  url: string,
  plans: readonly TeamPlan[],
  onProgress: (message: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Skips the checks of foreign keys: the rows match by construction, which a test proves with a small data set.
    await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '768MB'; SET work_mem = '64MB';
      SET synchronous_commit = off`);
    await makeAuditMonths(client, Math.min(...plans.map(({ from }) => from)));
    const indexes = await dropIndexes(client);
    for (const plan of plans) await fillTeam(client, plan, onProgress);
    for (const definition of indexes) {
      onProgress(definition.slice(0, 90));
      await client.query(definition);
    }
    await client.query("SELECT recount_documents(), index_titles(), index_all_links()");
    await client.query("DROP SCHEMA source CASCADE");
    onProgress("VACUUM ANALYZE");
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

async function fillTeam(client: pg.Client, plan: TeamPlan, onProgress: (message: string) => void): Promise<void> {
  await client.query(preparation(plan));
  for (let from = 0; from < plan.count; from += batch) {
    const to = Math.min(plan.count, from + batch);
    for (const statement of documentStatements(plan, from, to)) await client.query(statement);
    onProgress(`${to} of ${plan.count} documents`);
  }
  for (const statement of historyStatements(plan)) await client.query(statement);
}

/** Drops the indexes that are not unique. Returns the statements that create them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace s ON s.oid = t.relnamespace
      WHERE s.nspname = 'public' AND t.relname = ANY($1::text[]) AND NOT i.indisunique`,
    [filledTables],
  );
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  // Of a partitioned table, ONLY would leave out its partitions.
  return rows.map(({ definition }) => definition.replace(" ON ONLY ", " ON "));
}
