import { type Database, sql } from "@kb/db";

/** The audit log is kept for so long, in milliseconds. */
const auditTtlMs = 365 * 24 * 60 * 60 * 1000;

/** Rows at once: a batch is short, so that nobody waits long for its locks. */
const batchSize = 1_000;

/** Throws away entries of more than 365 days, in batches; gives how many. Any number may run at once: each row goes once. */
export async function purgeAudit(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - auditTtlMs);
  let total = 0;
  for (;;) {
    const count = await database.acrossTeams.execute(sql`DELETE FROM audit_entries WHERE ctid IN
      (SELECT ctid FROM audit_entries WHERE at < ${before} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`);
    total += count;
    if (count < batchSize) return total;
  }
}
