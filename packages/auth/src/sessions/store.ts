import { type Models, newId } from "@kb/db";
import { hashToken } from "../api-key.ts";
import { makeSessionToken } from "./token.ts";

const lifetimeMs = 30 * 24 * 3_600_000;
const maxUserAgent = 300;

/** When a session that is used now ends, unless it is used again: 30 days later. */
export const sessionExpiry = (now: Date): Date => new Date(now.getTime() + lifetimeMs);

/** Who logged in, and from where; the address and the browser are shown to the user among their log-ins. */
export type NewSession = {
  readonly teamId: string;
  readonly userId: string;
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
};

/** Starts a session; the token is in the answer and nowhere else. Expired ones of the same user are swept away. */
export async function createSession(
  models: Models,
  { teamId, userId, address, userAgent }: NewSession,
  now: Date,
): Promise<{ id: string; token: string }> {
  await models.browserSession.deleteMany({ where: { teamId, userId, expiresAt: { lte: now } } });
  const token = makeSessionToken();
  const id = newId();
  await models.browserSession.create({
    data: {
      ...{ teamId, id, userId, hash: hashToken(token) },
      ...{ createdAt: now, lastSeenAt: now, expiresAt: sessionExpiry(now) },
      ...{ address: address ?? null, userAgent: userAgent?.slice(0, maxUserAgent) ?? null },
    },
  });
  return { id, token };
}

/** Ends one session; false where it had ended before. */
export async function endSession(models: Models, teamId: string, id: string): Promise<boolean> {
  const { count } = await models.browserSession.deleteMany({ where: { teamId, id } });
  return count > 0;
}

/** Ends every session of a user, but the one that is named; gives how many. */
export async function endSessions(models: Models, teamId: string, userId: string, except?: string): Promise<number> {
  const others = except === undefined ? {} : { NOT: { id: except } };
  const { count } = await models.browserSession.deleteMany({ where: { teamId, userId, ...others } });
  return count;
}
