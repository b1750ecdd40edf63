import { lockKeyOf, withSessionLock } from "../session-lock.ts";
import { type Reader, sql } from "../sql.ts";

const name = "backup";

/** Holds the lock of a backup, which keeps files that it has not read yet. A second backup waits. */
export function whileBackingUp<T>(
  url: string,
  waiting: { onWait: () => void; signal: AbortSignal },
  run: () => Promise<T>,
): Promise<T> {
  return withSessionLock({ url, name, ...waiting }, run);
}

/** Returns whether a backup of this database is running. */
export async function isBackupRunning(reader: Reader): Promise<boolean> {
  const [row] = await reader.rows<{ running: boolean }>(sql`SELECT EXISTS (SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) = ${lockKeyOf(name)}::bigint) AS running`);
  return row?.running === true;
}
