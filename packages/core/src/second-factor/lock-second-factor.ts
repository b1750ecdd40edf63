import type { Account } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import { notFound } from "../errors.ts";

/** Locks the second factor of a user. @throws {ServiceError} `not_found` for a user without one. */
export async function lockSecondFactor(tx: Tx, { teamId, userId }: Account): Promise<void> {
  const rows = await tx.rows(sql`SELECT 1 FROM second_factors
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid FOR UPDATE`);
  if (rows.length === 0) throw notFound("Second factor");
}
