import { sql, type Tx } from "@kb/db";
import { noteClientUse } from "./client-use.ts";
import type { GrantScope, HeldGrant } from "./grants.ts";
import type { OauthKeys } from "./keys.ts";
import { accessExpiry, type OauthLifetimes, refreshExpiry } from "./lifetimes.ts";
import { makeOauthToken } from "./tokens.ts";

/** On what tokens are issued. */
export type Issuing = { readonly keys: OauthKeys; readonly now: Date; readonly lifetimes: OauthLifetimes };

/** What a client gets; the tokens are in the answer and nowhere else. */
export type IssuedTokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly GrantScope[];
};

/** Issues an access token, and notes the use: the grant lasts until its refresh token runs out. */
export async function issueAccess(
  tx: Tx,
  grant: HeldGrant,
  scopes: readonly GrantScope[],
  { keys, now, lifetimes }: Issuing,
): Promise<{ accessToken: string; expiresInSeconds: number }> {
  const { teamId, grantId, clientId, createdAt } = grant;
  const grantEndsAt = refreshExpiry(now, createdAt, lifetimes);
  const expiresAt = accessExpiry(now, grantEndsAt, lifetimes);
  const accessToken = makeOauthToken("kbat_");
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
  await noteClientUse(tx, clientId, now);
  return { accessToken, expiresInSeconds: Math.floor((expiresAt.getTime() - now.getTime()) / 1000) };
}

/** Keeps a new refresh token, which gives what the grant gives. */
export async function keepRefresh(
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
