import { type Database, join, sql } from "@kb/db";
import type { EndGrant, GrantRef } from "./grants.ts";
import type { OauthKeys } from "./keys.ts";
import { isOauthToken } from "./tokens.ts";

type TokenRow = GrantRef & {
  readonly userId: string;
  readonly hash: Uint8Array;
  readonly kind: string;
  readonly clientId: string;
};

/**
 * Revokes a token of this client (RFC 7009): only an access token, or with a refresh token the whole grant. An unknown token,
 * or one of another client, is ignored without an error.
 */
export async function revokeOauthToken(
  database: Database,
  token: string,
  clientId: string,
  { keys, endGrant }: { keys: OauthKeys; endGrant: EndGrant },
): Promise<void> {
  if (!isOauthToken("kbat_", token) && !isOauthToken("kbrt_", token)) return;
  // The team is not known yet: the hash of the token identifies it.
  const [row] = await database.beforeTeam.rows<TokenRow>(sql`
    SELECT k."teamId", k."grantId", k.hash, k.kind, g."clientId", g."userId"
    FROM oauth_tokens k JOIN oauth_grants g ON g."teamId" = k."teamId" AND g.id = k."grantId"
    WHERE k.hash IN (${join([...keys.hashes(token)])})`);
  if (row === undefined || row.clientId !== clientId) return;
  const { teamId, grantId, userId, hash } = row;
  await database.transaction(async (tx) => {
    if (row.kind === "refresh") await endGrant(tx, { teamId, grantId, userId, reason: "token_revoked" });
    else await tx.execute(sql`DELETE FROM oauth_tokens WHERE "teamId" = ${teamId}::uuid AND hash = ${hash}`);
  });
}
