import { sql } from "@kb/db";
import type { World } from "./world.ts";

/**
 * Takes the lock that a call with this idempotency key holds while it runs, as if a first call were running. Returns a
 * function that releases it.
 */
export async function holdIdempotencyKey(world: World, userId: string, key: string): Promise<() => Promise<void>> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: started, resolve: start, reject: fail } = Promise.withResolvers<void>();
  const first = world.service.database.transaction(async (tx) => {
    await tx.rows(sql`SELECT ${world.teamId}::uuid AS "teamId",
      pg_advisory_xact_lock(hashtextextended(${`${world.teamId}:${userId}:${key}`}, 0))::text`);
    start();
    await held;
  });
  first.catch(fail);
  await started;
  return async () => {
    release();
    await first;
  };
}
