import { type Database, join, sql } from "@kb/db";
import type { Actor, McpSwitch, PresentedToken } from "../actor.ts";
import { type ActorRow, actorColumns, actorFrom, mcpColumns, mcpSwitchOf } from "../actor-row.ts";
import { isUseDue, recordedUse } from "../last-use.ts";
import { recordClientUse } from "./client-use.ts";
import type { GrantScope } from "./grants.ts";
import type { OauthKeys } from "./keys.ts";
import { isOauthToken } from "./tokens.ts";

type TokenRow = ActorRow &
  McpSwitch &
  PresentedToken & {
    readonly grantId: string;
    readonly clientName: string | null;
    readonly scopes: GrantScope[];
    readonly grantUsedAt: Date | null;
    readonly clientUsedAt: Date | null;
  };

/** The display name of apps without a name. */
export const unnamedApp = "An app without a name";

/**
 * Finds the user that an app acts for: one indexed look-up by the hash of the access token, joined to its grant, user and
 * team; none for a text that cannot be a token. Returns null for an unknown, expired or revoked token, one for another
 * resource, and a suspended user, without revealing which.
 */
export async function authenticateAccessToken(
  database: Database,
  token: string,
  { keys, resource, now }: { keys: OauthKeys; resource: string; now: Date },
): Promise<Actor | null> {
  if (!isOauthToken("kbat_", token)) return null;
  // The team is not known yet: the hash of the token identifies it.
  const [row] = await database.beforeTeam.rows<TokenRow>(sql`
    SELECT k.hash, k."expiresAt", k.scopes, g.id AS "grantId", g."clientId", g.resource, g."lastUsedAt" AS "grantUsedAt",
      c.name AS "clientName", c."lastUsedAt" AS "clientUsedAt", ${actorColumns}, ${mcpColumns}
    FROM oauth_tokens k JOIN oauth_grants g ON g."teamId" = k."teamId" AND g.id = k."grantId"
      JOIN oauth_clients c ON c.id = g."clientId" JOIN teams t ON t.id = g."teamId"
      JOIN users u ON u."teamId" = g."teamId" AND u.id = g."userId"
    WHERE k.hash IN (${join([...keys.hashes(token)])}) AND k.kind = 'access' AND k."expiresAt" > ${now}
      AND g."revokedAt" IS NULL AND g."expiresAt" > ${now} AND g.resource = ${resource} AND u."suspendedAt" IS NULL`);
  if (row === undefined) return null;
  await recordUse(database, row, now);
  const { hash, expiresAt, clientId, scopes } = row;
  const credential = {
    kind: "oauth" as const,
    id: row.grantId,
    name: row.clientName ?? unnamedApp,
    token: { hash, expiresAt, clientId, resource },
  };
  return actorFrom(row, { credential, scopes, mcp: mcpSwitchOf(row) });
}

/** Records the use of the grant and the client at most once a minute; of concurrent uses, one is written. */
async function recordUse(database: Database, row: TokenRow, now: Date): Promise<void> {
  if (isUseDue(row.grantUsedAt, now)) {
    const grant = sql`"teamId" = ${row.teamId}::uuid AND id = ${row.grantId}::uuid`;
    await database.execute(sql`UPDATE oauth_grants ${recordedUse(now, grant)}`);
  }
  if (isUseDue(row.clientUsedAt, now)) await recordClientUse(database, row.clientId, now);
}
