import { sql, type Tx } from "@kb/db";

/** Withdraws the mails about things that have changed or ended: what was not sent yet is never sent. */
export async function withdrawMails(tx: Tx, teamId: string, subjectIds: readonly string[], now: Date): Promise<void> {
  if (subjectIds.length === 0) return;
  await tx.execute(sql`UPDATE mails SET status = 'withdrawn', token = NULL, "finishedAt" = ${now}
    WHERE "teamId" = ${teamId}::uuid AND "subjectId" = ANY(${[...subjectIds]}::uuid[]) AND status IN ('pending', 'failed')`);
}
