import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/** How to wait for a lock that somebody else holds. */
export type SessionLockOptions = {
  readonly url: string;
  /** What is locked: any text. */
  readonly name: string;
  /** Called once where there is somebody to wait for. */
  readonly onWait?: () => void;
  /** Ends the wait; `run` then never begins. */
  readonly signal?: AbortSignal;
};

/**
 * Runs something while no other process that asks for the same lock runs its own. The lock belongs to a connection of its
 * own, so a process that dies leaves none behind, and no transaction stays open meanwhile. Not for requests: each takes
 * a connection beside the pool.
 */
export async function withSessionLock<T>(options: SessionLockOptions, run: () => Promise<T>): Promise<T> {
  const { url, name, onWait, signal } = options;
  const key = lockKeyOf(name);
  const client = new pg.Client({ connectionString: url, application_name: "kb lock", keepAlive: true });
  // Lost, the lock is free for others; whoever runs here notices by what fails of its own.
  client.on("error", () => {});
  await client.connect();
  try {
    await takeLock(client, key, { ...(onWait && { onWait }), ...(signal && { signal }) });
    return await run();
  } finally {
    await client.end().catch(() => {});
  }
}

type TakeOptions = Pick<SessionLockOptions, "onWait" | "signal"> & {
  /** Until when it is held. Default "session". */
  readonly until?: "session" | "transaction";
  /** Gives up after so long. Default never. */
  readonly forMs?: number;
};

const askAgainMs = 200;

/**
 * Takes an advisory lock; false where its time ran out. It asks again and again, for a statement that waits holds a snapshot:
 * an index that somebody builds concurrently would wait for its end, and both for ever where the builder holds the lock.
 */
export async function takeLock(client: pg.ClientBase, key: string, options: TakeOptions): Promise<boolean> {
  const { until = "session", forMs = Number.POSITIVE_INFINITY, onWait, signal } = options;
  const take = until === "session" ? "pg_try_advisory_lock" : "pg_try_advisory_xact_lock";
  const deadline = performance.now() + forMs;
  for (let told = false; ; told = true) {
    signal?.throwIfAborted();
    const { rows } = await client.query<{ taken: boolean }>(`SELECT ${take}($1) AS taken`, [key]);
    if (rows[0]?.taken === true) return true;
    if (performance.now() > deadline) return false;
    if (!told) onWait?.();
    await wait(askAgainMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** The number by which PostgreSQL knows the lock of a name. */
export function lockKeyOf(name: string): string {
  return createHash("sha256").update(name).digest().readBigInt64BE(0).toString();
}
