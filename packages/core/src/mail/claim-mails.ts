import { sql } from "@kb/db";
import type { Service } from "../context.ts";

/** A mail that a worker holds. No other worker sends it before the lease expires. */
export type ClaimedMail = {
  readonly teamId: string;
  readonly id: string;
  readonly recipient: string;
  readonly kind: string;
  readonly language: string;
  readonly facts: unknown;
  readonly token: Uint8Array<ArrayBuffer> | null;
  readonly createdAt: Date;
  /** The number of this attempt, from 1. It rejects a late result of an earlier attempt. */
  readonly attempts: number;
  /** Whether its link has expired or its user was suspended, so that it must not be sent. */
  readonly obsolete: boolean;
};

/** Claims due mails, at most `most`, the longest waiting first. */
export async function claimMails(
  { database, clock }: Pick<Service, "database" | "clock">,
  { most, leaseMs }: { readonly most: number; readonly leaseMs: number },
): Promise<ClaimedMail[]> {
  if (most < 1) return [];
  const now = clock.now();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  return await database.acrossTeams.rows<ClaimedMail>(sql`
    WITH due AS (
      SELECT "teamId", id FROM mails WHERE status = 'pending' AND "nextAttemptAt" <= ${now}
        AND ("leaseUntil" IS NULL OR "leaseUntil" <= ${now})
      ORDER BY "nextAttemptAt", id LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE mails m SET "leaseUntil" = ${leaseUntil}, attempts = m.attempts + 1
    FROM due WHERE m."teamId" = due."teamId" AND m.id = due.id
    RETURNING m."teamId", m.id, m.recipient, m.kind, m.language, m.facts, m.token, m."createdAt", m.attempts,
      m."expiresAt" <= ${now} OR EXISTS (SELECT 1 FROM users u WHERE u."teamId" = m."teamId" AND u.id = m."userId"
        AND u."suspendedAt" IS NOT NULL) AS obsolete`);
}
