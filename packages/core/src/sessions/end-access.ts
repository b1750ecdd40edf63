import { endSessions } from "@kb/auth";
import { endGrants } from "../apps/end-grants.ts";
import type { WriteContext } from "../context.ts";

/** Ends a user's sessions, except the one that is kept, and the grants of their connected apps. API keys stay. */
export async function endAccess(
  context: WriteContext,
  userId: string,
  reason: "user_suspended" | "password_changed",
  keptSessionId?: string,
): Promise<void> {
  await endSessions(context.tx, context.actor.teamId, userId, keptSessionId);
  await endGrants(context, { userId }, reason);
}
