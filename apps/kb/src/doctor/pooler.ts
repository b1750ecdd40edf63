import { type Pooling, readPooling } from "@kb/db";
import type { Settings } from "../env.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

const advice =
  "set DATABASE_DIRECT_URL to the address of PostgreSQL itself, for migrations, locks, backups, imports and notifications.";

/** Checks whether a pooler shares the connections of `DATABASE_URL`, and then what the service needs of it. */
export async function poolerFindings({ databaseUrl, databaseDirectUrl }: Settings): Promise<Finding[]> {
  if (databaseUrl === undefined) return [];
  const { host } = new URL(databaseUrl);
  try {
    const pooling = await readPooling(databaseUrl);
    if (databaseDirectUrl === undefined) {
      return pooling.isShared ? [fail("pooler", `${host} shares its connections between clients: ${advice}`)] : [];
    }
    return [pooledFinding(host, pooling), ...(await directFindings(databaseDirectUrl))];
  } catch (error) {
    // The check of PostgreSQL reports it.
    if (databaseDirectUrl === undefined) return [];
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
