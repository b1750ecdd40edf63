import { endSessions } from "@kb/auth";
import { type EndingContext, endGrants } from "../apps/end-grants.ts";
import { endResetLinks } from "../password-reset/reset-links.ts";

/**
 * Ends a user's sessions, except the one that is kept, their links to set a password, and the grants of their connected apps.
 * API keys stay.
 */
export async function endAccess(
  context: EndingContext,
  userId: string,
  reason: "user_suspended" | "password_changed" | "second_factor_set_up",
  keptSessionId?: string,
): Promise<void> {
  await endSessions(context.tx, context.actor.teamId, userId, keptSessionId);
  await endResetLinks(context.tx, context.actor.teamId, userId, context.now);
  await endGrants(context, { userId }, reason);
}
