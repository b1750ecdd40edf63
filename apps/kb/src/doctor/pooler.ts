import { isOutOfConnections, isSameDatabase, type Pooling, readPooling } from "@kb/db";
import type { Settings } from "../env.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

const advice =
  "set DATABASE_DIRECT_URL to the address of PostgreSQL itself, for migrations, locks, backups, imports and notifications.";

const full = "responds, but lends no connection";
const remedy =
  "raise default_pool_size and max_client_conn of the pooler, or end the transactions that hold its connections (pg_stat_activity).";

/** Checks whether a pooler shares the connections of `DATABASE_URL`, and then what the service needs of it. */
export async function poolerFindings({ databaseUrl, databaseDirectUrl }: Settings): Promise<Finding[]> {
  if (databaseUrl === undefined) return [];
  const { host } = new URL(databaseUrl);
  try {
    const pooling = await readPooling(databaseUrl);
    if (databaseDirectUrl === undefined) {
      return pooling.isShared ? [fail("pooler", `${host} shares its connections between clients: ${advice}`)] : [];
    }
    const others = [
      ...(await directFindings(databaseDirectUrl)),
      ...(await differenceFindings(databaseUrl, databaseDirectUrl)),
    ];
    return [pooledFinding(host, pooling), ...others];
  } catch (error) {
    // The check of PostgreSQL reports it.
    if (databaseDirectUrl === undefined) return [];
    if (isOutOfConnections(error)) return [fail("pooler", `${host} ${full} (${reason(error)}): ${remedy}`)];
    return [fail("pooler", `${host} does not respond (${reason(error)}): start it, or correct DATABASE_URL.`)];
  }
}

function pooledFinding(host: string, { statementTimeoutMs }: Pooling): Finding {
  if (statementTimeoutMs > 0) return ok("pooler", `${host} responds`);
  const missing = "sets no statement_timeout, so PostgreSQL goes on with a statement for which nobody waits any more";
  return warn("pooler", `${host} ${missing}: set it as docs/operations.md shows.`);
}

async function directFindings(url: string): Promise<Finding[]> {
  // The check of PostgreSQL reports a server that does not respond.
  const { isShared } = await readPooling(url).catch(() => ({ isShared: false }));
  const shared = `DATABASE_DIRECT_URL (${new URL(url).host}) shares its connections as well: ${advice}`;
  return isShared ? [fail("pooler", shared)] : [];
}

async function differenceFindings(url: string, directUrl: string): Promise<Finding[]> {
  if ((await isSameDatabase(url, directUrl)) !== false) return [];
  const where = `DATABASE_DIRECT_URL (${new URL(directUrl).host}) leads to another database than DATABASE_URL`;
  return [fail("pooler", `${where}: name the PostgreSQL behind the pooler, and the same database.`)];
}
