import { endSessions } from "@kb/auth";
import { endGrants } from "../apps/end-grants.ts";
import type { WriteContext } from "../operation.ts";

/** Ends a user's log-ins, but the one that is kept, and the grants of the apps that they connected. API keys stay. */
export async function endAccess(
  { tx, actor, now, call }: Pick<WriteContext, "tx" | "actor" | "now" | "call">,
  userId: string,
  reason: "user_suspended" | "password_changed",
  keptSessionId?: string,
): Promise<void> {
  const { teamId } = actor;
  await endSessions(tx, teamId, userId, keptSessionId);
  await endGrants(tx, { teamId, userId }, { reason, by: actor, now, call });
}
