import { type Models, newId } from "@kb/db";
import { hashToken } from "../api-key.ts";
import { createSessionToken } from "./token.ts";

const lifetimeMs = 30 * 24 * 3_600_000;
const maxUserAgentLength = 300;

/** Returns when a session that is used now expires unless it is used again: 30 days later. */
export const sessionExpiry = (now: Date): Date => new Date(now.getTime() + lifetimeMs);

/** The user of a new session; the address and the browser are shown to the user in the list of their sessions. */
export type NewSession = {
  readonly teamId: string;
  readonly userId: string;
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
};

/** Creates a session and deletes the user's expired ones. The token is in this answer and is stored nowhere. */
export async function createSession(
  models: Models,
  { teamId, userId, address, userAgent }: NewSession,
  now: Date,
): Promise<{ id: string; token: string }> {
  await models.browserSession.deleteMany({ where: { teamId, userId, expiresAt: { lte: now } } });
  const token = createSessionToken();
  const id = newId();
  await models.browserSession.create({
    data: {
      teamId,
      id,
      userId,
      hash: hashToken(token),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: sessionExpiry(now),
      address: address ?? null,
      userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
    },
  });
  return { id, token };
}

/** Ends a session; returns false if it had ended before. */
export async function endSession(models: Models, teamId: string, id: string): Promise<boolean> {
  const { count } = await models.browserSession.deleteMany({ where: { teamId, id } });
  return count > 0;
}

/** Ends every session of a user except `keptId`; returns how many. */
export async function endSessions(models: Models, teamId: string, userId: string, keptId?: string): Promise<number> {
  const others = keptId === undefined ? {} : { NOT: { id: keptId } };
  const { count } = await models.browserSession.deleteMany({ where: { teamId, userId, ...others } });
  return count;
}
