import { type Database, newId, type Reader, sql, type Tx } from "@kb/db";
import { recordClientUse } from "./client-use.ts";
import { codeExpiry, type OauthLifetimes } from "./lifetimes.ts";

/** The scopes that a user may grant; `write` is always granted with `read`. */
export type GrantScope = "read" | "write";

/** A grant to create. */
export type NewGrant = {
  readonly teamId: string;
  readonly userId: string;
  /** The session in which the user consents. */
  readonly sessionId: string;
  readonly clientId: string;
  readonly scopes: readonly GrantScope[];
  /** The resource that its tokens are for (RFC 8707). */
  readonly resource: string;
};

/** Identifies a grant. */
export type GrantRef = { readonly teamId: string; readonly grantId: string };

/**
 * Creates a grant, which expires with its code until the code is redeemed. Returns null if the user may no longer consent:
 * suspended, logged out, with a new password, or in a team that allows no assistants. Their rows stay locked until the
 * transaction ends, so that everything that ends grants sees this one. Call it after `stampChange`.
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
  // A separate statement sees what was committed while the previous one waited.
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
  // Marks the client as used: deleting unused clients would delete the grant too.
  await recordClientUse(tx, clientId, now);
  return { teamId, grantId: id };
}

/** Why a token request ends a grant. */
export type GrantMisuse = "code_reused" | "refresh_token_reused" | "token_revoked";

/** Ends a grant with its event and audit entry, in the given transaction. */
export type EndGrant = (
  tx: Tx,
  ended: GrantRef & { readonly userId: string; readonly reason: GrantMisuse },
) => Promise<void>;

/** A grant whose code or refresh token was reused. */
export type Misused = HeldGrant & { readonly kind: "misused"; readonly reason: GrantMisuse };

/**
 * Ends a misused grant in a separate transaction: ending a grant locks the team's clock before the grant's row, which the
 * request has locked already. The misuse remains true in between.
 */
export async function endMisused(
  database: Database,
  misused: Misused,
  endGrant: EndGrant,
): Promise<{ readonly kind: "refused" }> {
  await database.transaction((tx) => endGrant(tx, misused));
  return { kind: "refused" };
}

/** A grant that a token request has locked. */
export type HeldGrant = GrantRef & {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly GrantScope[];
  readonly resource: string;
  readonly createdAt: Date;
};

/** Whether a grant was neither ended nor has expired. */
export async function isLiveGrant(reader: Reader, { teamId, grantId }: GrantRef, now: Date): Promise<boolean> {
  const rows = await reader.rows(sql`SELECT 1 FROM oauth_grants
    WHERE "teamId" = ${teamId}::uuid AND id = ${grantId}::uuid AND "revokedAt" IS NULL AND "expiresAt" > ${now}`);
  return rows.length === 1;
}

/** Whether the user has a grant for the client that was neither ended nor has expired. */
export async function hasLiveGrant(
  reader: Reader,
  { teamId, userId, clientId }: Pick<NewGrant, "teamId" | "userId" | "clientId">,
  now: Date,
): Promise<boolean> {
  const rows = await reader.rows(sql`SELECT 1 FROM oauth_grants
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid AND "clientId" = ${clientId}
      AND "revokedAt" IS NULL AND "expiresAt" > ${now} LIMIT 1`);
  return rows.length === 1;
}

/** Locks a grant until the transaction ends, so that its token requests run one at a time; null for one that has ended. */
export async function lockGrant(tx: Tx, { teamId, grantId }: GrantRef, now: Date): Promise<HeldGrant | null> {
  // Suspending the user or turning MCP off ends the grant; its row is read again after the wait for the lock.
  const [grant] = await tx.rows<HeldGrant>(sql`
    SELECT g."teamId", g.id AS "grantId", g."userId", g."clientId", g.scopes, g.resource, g."createdAt"
    FROM oauth_grants g JOIN users u ON u."teamId" = g."teamId" AND u.id = g."userId" AND u."suspendedAt" IS NULL
      JOIN teams t ON t.id = g."teamId" AND t."mcpEnabled"
    WHERE g."teamId" = ${teamId}::uuid AND g.id = ${grantId}::uuid AND g."revokedAt" IS NULL
      AND g."expiresAt" > ${now} FOR NO KEY UPDATE OF g`);
  return grant ?? null;
}
