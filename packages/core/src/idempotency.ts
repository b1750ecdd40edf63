import type { Actor } from "@kb/auth";
import { type LastStatement, sql, type Tx } from "@kb/db";
import { ServiceError } from "./errors.ts";
import { written } from "./outbox.ts";

/** A call that may be a retry: the client's key and a hash of its request. */
export type IdempotentCall = {
  readonly key: string;
  readonly requestHash: Uint8Array<ArrayBuffer>;
  /** Set to true when the answer is a stored one. */
  replayed?: boolean;
};

type Stored = { readonly requestHash: Uint8Array; readonly output: unknown; readonly createdAt: Date };

/** Stored answers are kept for this long. */
export const idempotencyTtlMs = 24 * 60 * 60 * 1000;

/**
 * Runs a change at most once per key. Stores the answer in the transaction of the change: a change that fails stores
 * nothing and may be tried again. Without a key the end of the transaction is that of the change.
 * @throws {ServiceError} `idempotency_mismatch` for another request under the key, `conflict` while the first one runs.
 */
export async function withIdempotency<T>(
  tx: Tx,
  actor: Actor,
  now: Date,
  call: IdempotentCall | undefined,
  run: () => Promise<T | LastStatement<T>>,
): Promise<unknown | LastStatement<unknown>> {
  if (call === undefined) return run();
  const { teamId, userId } = actor;
  const [lock] = await tx.rows<{ taken: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${`${teamId}:${userId}:${call.key}`}, 0)) AS taken`,
  );
  if (lock?.taken !== true) {
    throw new ServiceError("conflict", "The first request with this idempotency key is still running.", {
      retryAfterSeconds: 1,
    });
  }
  const [stored] = await tx.rows<Stored>(sql`SELECT "requestHash", output, "createdAt" FROM idempotency_keys
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid AND key = ${call.key}`);
  if (stored !== undefined && now.getTime() - stored.createdAt.getTime() < idempotencyTtlMs) {
    if (Buffer.compare(stored.requestHash, call.requestHash) !== 0) {
      throw new ServiceError("idempotency_mismatch", "This idempotency key was used for another request.");
    }
    call.replayed = true;
    return stored.output;
  }
  const result = await written(tx, await run());
  await tx.execute(sql`INSERT INTO idempotency_keys ("teamId", "userId", key, "requestHash", output, "createdAt")
    VALUES (${teamId}::uuid, ${userId}::uuid, ${call.key}, ${call.requestHash}, ${JSON.stringify(result)}::jsonb, ${now})
    ON CONFLICT ("teamId", "userId", key) DO UPDATE SET "requestHash" = EXCLUDED."requestHash",
      output = EXCLUDED.output, "createdAt" = EXCLUDED."createdAt"`);
  return result;
}
