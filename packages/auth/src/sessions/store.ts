import { empty, newId, sql, type Tx } from "@kb/db";
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
  /** The time at which the user proved who they are. Default: the log-in. */
  readonly provenAt?: Date | undefined;
};

/** Creates a session and deletes the user's expired ones. The token is in this answer and is stored nowhere. */
export async function createSession(
  { execute }: Pick<Tx, "execute">,
  { teamId, userId, address, userAgent, provenAt }: NewSession,
  now: Date,
): Promise<{ id: string; token: string }> {
  await execute(sql`DELETE FROM browser_sessions
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid AND "expiresAt" <= ${now}`);
  const token = createSessionToken();
  const id = newId();
  await execute(sql`INSERT INTO browser_sessions ("teamId", id, "userId", hash, "createdAt", "lastSeenAt", "expiresAt", address, "userAgent", "provenAt")
    VALUES (${teamId}::uuid, ${id}::uuid, ${userId}::uuid, ${hashToken(token)}, ${now}, ${now}, ${sessionExpiry(now)},
      ${address}, ${userAgent?.slice(0, maxUserAgentLength)}, ${provenAt})`);
  return { id, token };
}

/** Records that the user of a session proved who they are. Returns false if the session has ended. */
export async function recordProof(
  { execute }: Pick<Tx, "execute">,
  { teamId, id }: { readonly teamId: string; readonly id: string },
  now: Date,
): Promise<boolean> {
  const proven = await execute(
    sql`UPDATE browser_sessions SET "provenAt" = ${now} WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid`,
  );
  return proven > 0;
}

/** Makes the other sessions of a user prove again who they are: what proved it may be what the user has just removed. */
export async function endOtherProofs(
  { execute }: Pick<Tx, "execute">,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
  keptId: string,
): Promise<void> {
  await execute(sql`UPDATE browser_sessions SET "provenAt" = ${new Date(0)}
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid AND id <> ${keptId}::uuid`);
}

/** Ends a session; returns false if it had ended before. */
export async function endSession({ execute }: Pick<Tx, "execute">, teamId: string, id: string): Promise<boolean> {
  return (await execute(sql`DELETE FROM browser_sessions WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid`)) > 0;
}

/** Ends every session of a user except `keptId`; returns how many. */
export function endSessions(
  { execute }: Pick<Tx, "execute">,
  teamId: string,
  userId: string,
  keptId?: string,
): Promise<number> {
  const others = keptId === undefined ? empty : sql` AND id <> ${keptId}::uuid`;
  return execute(
    sql`DELETE FROM browser_sessions WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid${others}`,
  );
}
