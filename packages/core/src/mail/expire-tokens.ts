import { type Database, sql } from "@kb/db";

/** Removes the tokens of failed mails whose links have expired. Returns their number. */
export function expireMailTokens(database: Database, now: Date): Promise<number> {
  return database.acrossTeams.execute(
    sql`UPDATE mails SET token = NULL WHERE status = 'failed' AND "expiresAt" <= ${now} AND token IS NOT NULL`,
  );
}
