import { readFileSync } from "node:fs";
import type { Database } from "../index.ts";
import { sql } from "../sql.ts";

/**
 * Returns a function that returns the milliseconds of processor time that PostgreSQL has used for the present connections of a
 * database: a busy machine does not make them more. Always 0 where the system has no /proc, or PostgreSQL is on another machine.
 */
export async function postgresMsOf(database: Database): Promise<() => number> {
  const rows = await database.acrossTeams.rows<{ pid: number }>(
    sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  return () => rows.reduce((sum, { pid }) => sum + processorMs(pid), 0);
}

/** Milliseconds of processor time of a process (sched(7)); 0 if it has ended. */
function processorMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")[0]) / 1_000_000;
  } catch {
    return 0;
  }
}
