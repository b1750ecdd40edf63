import { createHash } from "node:crypto";
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
  const giveUp = (): void => void client.end().catch(() => {});
  await client.connect();
  try {
    signal?.throwIfAborted();
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [key]);
    if (rows[0]?.taken !== true) {
      signal?.addEventListener("abort", giveUp, { once: true });
      onWait?.();
      await client.query("SELECT pg_advisory_lock($1)", [key]).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw error;
      });
      signal?.throwIfAborted();
    }
    signal?.removeEventListener("abort", giveUp);
    return await run();
  } finally {
    await client.end().catch(() => {});
  }
}

/** The number by which PostgreSQL knows the lock of a name. */
export function lockKeyOf(name: string): string {
  return createHash("sha256").update(name).digest().readBigInt64BE(0).toString();
}
