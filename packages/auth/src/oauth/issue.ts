import { sql, type Tx } from "@kb/db";
import { recordClientUse } from "./client-use.ts";
import type { GrantScope, HeldGrant } from "./grants.ts";
import type { OauthKeys } from "./keys.ts";
import { accessExpiry, type OauthLifetimes, refreshExpiry } from "./lifetimes.ts";
import { createOauthToken } from "./tokens.ts";

/** The settings for issuing tokens. */
export type Issuing = { readonly keys: OauthKeys; readonly now: Date; readonly lifetimes: OauthLifetimes };

/** New tokens for a client. They are in this answer and are stored nowhere. */
export type IssuedTokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly GrantScope[];
};

/** Issues an access token, records the use, and extends the grant to the expiry of its refresh token. */
export async function issueAccessToken(
  tx: Tx,
  grant: HeldGrant,
  scopes: readonly GrantScope[],
  { keys, now, lifetimes }: Issuing,
): Promise<{ accessToken: string; expiresInSeconds: number }> {
  const { teamId, grantId, clientId, createdAt } = grant;
  const grantEndsAt = refreshExpiry(now, createdAt, lifetimes);
  const expiresAt = accessExpiry(now, grantEndsAt, lifetimes);
  const accessToken = createOauthToken("kbat_");
  await tx.oauthToken.create({
    data: {
      teamId,
      grantId,
      kind: "access",
      hash: keys.hash(accessToken),
      scopes: [...scopes],
      createdAt: now,
      expiresAt,
    },
  });
  await tx.execute(sql`UPDATE oauth_grants SET "lastUsedAt" = ${now}, "expiresAt" = GREATEST("expiresAt", ${grantEndsAt})
    WHERE "teamId" = ${teamId}::uuid AND id = ${grantId}::uuid`);
  await recordClientUse(tx, clientId, now);
  return { accessToken, expiresInSeconds: Math.floor((expiresAt.getTime() - now.getTime()) / 1000) };
}

/** Stores a new refresh token with the scopes of the grant. */
export async function storeRefreshToken(
  tx: Tx,
  grant: HeldGrant,
  refreshToken: string,
  { keys, now, lifetimes }: Issuing,
): Promise<void> {
  const { teamId, grantId, scopes, createdAt } = grant;
  const expiresAt = refreshExpiry(now, createdAt, lifetimes);
  await tx.oauthToken.create({
    data: {
      teamId,
      grantId,
      kind: "refresh",
      hash: keys.hash(refreshToken),
      scopes: [...scopes],
      createdAt: now,
      expiresAt,
    },
  });
}
