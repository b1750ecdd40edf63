import { endSessions } from "@kb/auth";
import { type EndingContext, endGrants } from "../apps/end-grants.ts";

/** Ends a user's sessions, except the one that is kept, and the grants of their connected apps. API keys stay. */
export async function endAccess(
  context: EndingContext,
  userId: string,
  reason: "user_suspended" | "password_changed",
  keptSessionId?: string,
): Promise<void> {
  await endSessions(context.tx, context.actor.teamId, userId, keptSessionId);
  await endGrants(context, { userId }, reason);
}
