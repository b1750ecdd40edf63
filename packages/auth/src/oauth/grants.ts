import { type Database, newId, type Reader, sql, type Tx } from "@kb/db";
import { noteClientUse } from "./client-use.ts";
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
  // From here on it is no app that nobody uses: what cleans those away would take the grant with it.
  await noteClientUse(tx, clientId, now);
  return { teamId, grantId: id };
}

/** Why a grant ends at the endpoints of tokens. */
export type GrantMisuse = "code_reused" | "refresh_token_reused" | "token_revoked";

/** Ends a grant, with all that has to be told of it, in the transaction that found out why. */
export type EndGrant = (
  tx: Tx,
  ended: GrantRef & { readonly userId: string; readonly reason: GrantMisuse },
) => Promise<void>;

/** A grant of which somebody used what had been used. */
export type Misused = HeldGrant & { readonly kind: "misused"; readonly reason: GrantMisuse };

/**
 * Ends a misused grant, in a transaction of its own: whoever ends grants takes the team's clock before their rows, and the
 * request holds the row already. What it found out stays true in between.
 */
export async function endMisused(
  database: Database,
  misused: Misused,
  endGrant: EndGrant,
): Promise<{ readonly kind: "refused" }> {
  await database.transaction((tx) => endGrant(tx, misused));
  return { kind: "refused" };
}

/** A grant as a request for tokens finds it. */
export type HeldGrant = GrantRef & {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly GrantScope[];
  readonly resource: string;
  readonly createdAt: Date;
};

/** Whether a grant neither was ended nor ran out. */
export async function isLiveGrant(reader: Reader, { teamId, grantId }: GrantRef, now: Date): Promise<boolean> {
  const rows = await reader.rows(sql`SELECT 1 FROM oauth_grants
    WHERE "teamId" = ${teamId}::uuid AND id = ${grantId}::uuid AND "revokedAt" IS NULL AND "expiresAt" > ${now}`);
  return rows.length === 1;
}

/** Locks a grant until the transaction ends; null for one that has ended: of one grant, requests for tokens take turns. */
export async function lockGrant(tx: Tx, { teamId, grantId }: GrantRef, now: Date): Promise<HeldGrant | null> {
  // Whoever suspends the user or switches MCP off ends the grant with it; its row is read again after the wait.
  const [grant] = await tx.rows<HeldGrant>(sql`
    SELECT g."teamId", g.id AS "grantId", g."userId", g."clientId", g.scopes, g.resource, g."createdAt"
    FROM oauth_grants g JOIN users u ON u."teamId" = g."teamId" AND u.id = g."userId" AND u."suspendedAt" IS NULL
      JOIN teams t ON t.id = g."teamId" AND t."mcpEnabled"
    WHERE g."teamId" = ${teamId}::uuid AND g.id = ${grantId}::uuid AND g."revokedAt" IS NULL
      AND g."expiresAt" > ${now} FOR NO KEY UPDATE OF g`);
  return grant ?? null;
}
