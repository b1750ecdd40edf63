import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/** Options of a lock between processes. */
export type SessionLockOptions = {
  readonly url: string;
  /** Any text that names the lock. */
  readonly name: string;
  /** Called once if another process holds the lock. */
  readonly onWait?: () => void;
  /** Ends the wait without running. */
  readonly signal?: AbortSignal;
};

/**
 * Runs a function while no other process holds the same lock. The lock belongs to a separate connection, so it ends with
 * the process and keeps no transaction open. Not for requests: each call opens a connection outside of the pool. `lost` is
 * aborted when the connection, and with it the lock, is gone.
 */
export async function withSessionLock<T>(
  options: SessionLockOptions,
  run: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const { url, name, onWait, signal } = options;
  const key = lockKeyOf(name);
  const client = new pg.Client({ connectionString: url, application_name: "kb lock", keepAlive: true });
  const lost = new AbortController();
  client.on("error", () => lost.abort());
  await client.connect();
  try {
    await takeLock(client, key, { ...(onWait && { onWait }), ...(signal && { signal }) });
    return await run(lost.signal);
  } finally {
    await client.end().catch(() => {});
  }
}

type TakeOptions = Pick<SessionLockOptions, "onWait" | "signal"> & {
  /** The duration of the lock. Default "session". */
  readonly until?: "session" | "transaction";
  /** Limit of the wait. Default none. */
  readonly timeoutMs?: number;
};

const retryEveryMs = 200;

/**
 * Takes an advisory lock; returns false after the timeout. Polls, because a waiting statement holds a snapshot: a
 * concurrent index build would wait for its end, and both would wait forever if the builder holds the lock.
 */
export async function takeLock(client: pg.ClientBase, key: string, options: TakeOptions): Promise<boolean> {
  const { until = "session", timeoutMs = Number.POSITIVE_INFINITY, onWait, signal } = options;
  const take = until === "session" ? "pg_try_advisory_lock" : "pg_try_advisory_xact_lock";
  const deadline = performance.now() + timeoutMs;
  for (let isReported = false; ; isReported = true) {
    signal?.throwIfAborted();
    const { rows } = await client.query<{ taken: boolean }>(`SELECT ${take}($1) AS taken`, [key]);
    if (rows[0]?.taken === true) return true;
    if (performance.now() > deadline) return false;
    if (!isReported) onWait?.();
    await wait(retryEveryMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** Returns the key of the lock of a name. */
export function lockKeyOf(name: string): string {
  return createHash("sha256").update(name).digest().readBigInt64BE(0).toString();
}
