import { endSessions } from "@kb/auth";
import type { Tx } from "@kb/db";

/** Ends a user's log-ins, but the one that is kept, and the grants of the apps that they connected. API keys stay. */
export async function endAccess(
  tx: Tx,
  teamId: string,
  userId: string,
  now: Date,
  keptSessionId?: string,
): Promise<void> {
  await endSessions(tx, teamId, userId, keptSessionId);
  await tx.oauthGrant.updateMany({ where: { teamId, userId, revokedAt: null }, data: { revokedAt: now } });
}
