import { setTimeout as pause } from "node:timers/promises";
import { type Database, isLockTimeout, isPermissionDenied, type Statement, sql } from "@kb/db";
import type { Service } from "../context.ts";
import { auditTtlMs } from "./kept.ts";

/** Months that are made ahead, so that a worker may be down this long. */
const monthsAhead = 6;
/** Entries that are read while others wait, a million of them: only after a time without a worker that is longer than what was made ahead. */
const mostBytes = 256 * 1024 * 1024;
const attempts = 3;
const pauseMs = 1_000;
/** The answer of `add_audit_months` where it would hold its lock for too long. */
const tooLarge = -1;

const reasons = { locked: "it is in use", denied: "the role of the worker does not own it" };

/** Changes of the partitions of the audit log. */
type KeptMonths = {
  readonly added: number;
  readonly dropped: number;
  /** The reason why something is left for the next sweep. An entry of a month without a partition has its place all the same. */
  readonly postponed?: string;
};

/**
 * Drops the months of the audit log whose entries have all expired, and adds the partitions of the months to come. Both take a lock
 * for which everybody else waits, so they give up after 0.3 seconds and try again. Several processes may run it at once.
 */
export async function keepAuditMonths({ database, clock }: Pick<Service, "database" | "clock">): Promise<KeptMonths> {
  const now = clock.now();
  const expired = new Date(now.getTime() - auditTtlMs);
  const dropped = await changeMonths(database, sql`SELECT drop_audit_months(${expired}) AS months`);
  if (typeof dropped === "string") return { added: 0, dropped: 0, postponed: reasons[dropped] };
  const added = await changeMonths(
    database,
    sql`SELECT add_audit_months(${now}, ${monthsAhead}, ${mostBytes}) AS months`,
  );
  if (typeof added === "string") return { added: 0, dropped, postponed: reasons[added] };
  if (added === tooLarge) return { added: 0, dropped, postponed: "audit_entries_later is too large to be split" };
  return { added, dropped };
}

/**
 * Returns the quoted names of the partitions that hold more than a month, of which expired entries are deleted: the first, the last, and
 * those of a time without a worker.
 */
export async function longAuditPartitions(database: Database): Promise<string[]> {
  const rows = await database.acrossTeams.rows<{ name: string }>(
    sql`SELECT quote_ident(name) AS name FROM audit_partitions() WHERE until > since + interval '744 hours'`,
  );
  return rows.map(({ name }) => name);
}

async function changeMonths(database: Database, statement: Statement): Promise<number | keyof typeof reasons> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [row] = await database.acrossTeams.rows<{ months: number }>(statement);
      return row?.months ?? 0;
    } catch (error) {
      if (isPermissionDenied(error)) return "denied";
      if (!isLockTimeout(error)) throw error;
      if (attempt === attempts) return "locked";
      await pause(pauseMs);
    }
  }
}
