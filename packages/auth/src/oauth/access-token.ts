import { type Database, join, sql } from "@kb/db";
import type { Actor, McpSwitch, ShownToken } from "../actor.ts";
import { type ActorRow, actorColumns, actorFrom, mcpColumns, mcpSwitchOf } from "../actor-row.ts";
import { isUseDue, whereUseDue } from "../last-use.ts";
import { noteClientUse } from "./client-use.ts";
import type { GrantScope } from "./grants.ts";
import type { OauthKeys } from "./keys.ts";
import { isOauthToken } from "./tokens.ts";

type TokenRow = ActorRow &
  McpSwitch &
  ShownToken & {
    readonly grantId: string;
    readonly clientName: string | null;
    readonly scopes: GrantScope[];
    readonly grantUsedAt: Date | null;
    readonly clientUsedAt: Date | null;
  };

/** What apps without a name are called. */
export const unnamedApp = "An app without a name";

/**
 * Finds who an app acts for: one indexed look-up by the access token's hash, from it to its grant, user and team; none for a
 * text that cannot be one. Gives null for a token that is unknown, ran out, was revoked, or is for another server, and for a
 * suspended user, without telling which.
 */
export async function authenticateAccessToken(
  database: Database,
  token: string,
  { keys, resource, now }: { keys: OauthKeys; resource: string; now: Date },
): Promise<Actor | null> {
  if (!isOauthToken("kbat_", token)) return null;
  // The team is not known yet: the token's hash names it.
  const [row] = await database.beforeTeam.rows<TokenRow>(sql`
    SELECT k.hash, k."expiresAt", k.scopes, g.id AS "grantId", g."clientId", g.resource, g."lastUsedAt" AS "grantUsedAt",
      c.name AS "clientName", c."lastUsedAt" AS "clientUsedAt", ${actorColumns}, ${mcpColumns}
    FROM oauth_tokens k JOIN oauth_grants g ON g."teamId" = k."teamId" AND g.id = k."grantId"
      JOIN oauth_clients c ON c.id = g."clientId" JOIN teams t ON t.id = g."teamId"
      JOIN users u ON u."teamId" = g."teamId" AND u.id = g."userId"
    WHERE k.hash IN (${join([...keys.hashes(token)])}) AND k.kind = 'access' AND k."expiresAt" > ${now}
      AND g."revokedAt" IS NULL AND g."expiresAt" > ${now} AND g.resource = ${resource} AND u."suspendedAt" IS NULL`);
  if (row === undefined) return null;
  await noteUse(database, row, now);
  const { hash, expiresAt, clientId, scopes } = row;
  const credential = {
    ...({ kind: "oauth", id: row.grantId, name: row.clientName ?? unnamedApp } as const),
    token: { hash, expiresAt, clientId, resource },
  };
  return actorFrom(row, { credential, scopes, mcp: mcpSwitchOf(row) });
}

/** At most once a minute; the conditions make one write of many that race. */
async function noteUse({ client }: Database, row: TokenRow, now: Date): Promise<void> {
  if (isUseDue(row.grantUsedAt, now)) {
    const grant = { teamId: row.teamId, id: row.grantId };
    await client.oauthGrant.updateMany({ where: { ...grant, ...whereUseDue(now) }, data: { lastUsedAt: now } });
  }
  if (isUseDue(row.clientUsedAt, now)) await noteClientUse(client, row.clientId, now);
}
