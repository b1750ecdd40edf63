import { newId, type Sql, sql, type Tx } from "@kb/db";
import { codeExpiry, type OauthLifetimes } from "./lifetimes.ts";

/** What a user may give an app; `write` is always given with `read`. */
export type GrantScope = "read" | "write";

/** What a user allows an app. */
export type NewGrant = {
  readonly teamId: string;
  readonly userId: string;
  /** The log-in in which the user consents. */
  readonly sessionId: string;
  readonly clientId: string;
  readonly scopes: readonly GrantScope[];
  /** For which server its tokens are good (RFC 8707). */
  readonly resource: string;
};

/** Names a grant of a team. */
export type GrantRef = { readonly teamId: string; readonly grantId: string };

/** A grant that was ended just now. */
export type EndedGrant = GrantRef & { readonly userId: string; readonly clientId: string };

/**
 * Writes a grant down. Until its code is redeemed it lasts no longer than that. Gives null where the user may not consent
 * any more: suspended, logged out or with another password since, or of a team that lets no assistants in. Their rows stay
 * locked until the transaction ends, so that whatever ends grants sees this one. Take the stamp of the change before this.
 */
export async function createGrant(
  tx: Tx,
  grant: NewGrant,
  { now, lifetimes }: { now: Date; lifetimes: OauthLifetimes },
): Promise<GrantRef | null> {
  const { teamId, userId, sessionId, clientId, resource } = grant;
  const users = await tx.rows(sql`
    SELECT 1 FROM users u JOIN teams t ON t.id = u."teamId" AND t."mcpEnabled"
    WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid AND u."suspendedAt" IS NULL FOR SHARE`);
  // A statement of its own: it sees what was committed while the one before waited.
  const session = await tx.browserSession.findFirst({
    where: { teamId, id: sessionId, userId, expiresAt: { gt: now } },
    select: { id: true },
  });
  if (users.length === 0 || session === null) return null;
  const scopes: GrantScope[] = grant.scopes.includes("write") ? ["read", "write"] : ["read"];
  const id = newId();
  await tx.oauthGrant.create({
    data: { teamId, id, userId, clientId, scopes, resource, createdAt: now, expiresAt: codeExpiry(now, lifetimes) },
  });
  return { teamId, grantId: id };
}

/** Which grants of a team: one, those of a user, or (with neither) all. */
export type WhichGrants = {
  readonly teamId: string;
  readonly grantId?: string | undefined;
  readonly userId?: string | undefined;
};

/** Ends grants, and with them their codes, tokens and streams; gives those that had not ended before. */
export function endGrants(tx: Tx, { teamId, grantId, userId }: WhichGrants, now: Date): Promise<EndedGrant[]> {
  const conditions: Sql[] = [];
  if (grantId !== undefined) conditions.push(sql`AND id = ${grantId}::uuid`);
  if (userId !== undefined) conditions.push(sql`AND "userId" = ${userId}::uuid`);
  const [first = sql``, second = sql``] = conditions;
  return tx.rows<EndedGrant>(sql`
    UPDATE oauth_grants SET "revokedAt" = ${now}
    WHERE "teamId" = ${teamId}::uuid ${first} ${second} AND "revokedAt" IS NULL
    RETURNING "teamId", id AS "grantId", "userId", "clientId"`);
}
