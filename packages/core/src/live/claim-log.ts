import { type Database, sql } from "@kb/db";
import type { DocumentKey } from "./unsaved-document.ts";

/** A claim ends by itself after this time, for instance with the process that made it. */
const claimMs = 10_000;

/**
 * Keeps batches out of a document for a short time: a change of a large body is prepared outside of the lock, and would never be
 * done while others type. Their batches wait, because clients send them again. Returns the end of the claim, which never fails
 * and leaves a later claim by another alone.
 */
export async function claimLog(
  { acrossTeams }: Database,
  { teamId, documentId }: DocumentKey,
): Promise<() => Promise<unknown>> {
  // No two claims end at the same time: it tells this one from the next.
  const [claim] = await acrossTeams.rows<{ until: string }>(sql`UPDATE live_documents
    SET "claimedUntil" = GREATEST(now() + ${claimMs} * interval '1 ms', "claimedUntil" + interval '1 ms')
    WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${documentId}::uuid RETURNING "claimedUntil"::text AS until`);
  if (claim === undefined) return async () => {};
  return () =>
    acrossTeams
      .execute(sql`UPDATE live_documents SET "claimedUntil" = NULL
        WHERE "teamId" = ${teamId}::uuid AND "documentId" = ${documentId}::uuid
          AND "claimedUntil" = ${claim.until}::timestamptz`)
      .catch(() => {});
}
