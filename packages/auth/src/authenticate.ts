import { type Database, sql } from "@kb/db";
import type { Actor, McpSwitch, Scope } from "./actor.ts";
import { type ActorRow, actorColumns, actorFrom, mcpColumns, mcpSwitchOf } from "./actor-row.ts";
import { hashToken, isWellFormedToken } from "./api-key.ts";
import { isUseDue, whereUseDue } from "./last-use.ts";

type KeyRow = ActorRow &
  McpSwitch & {
    readonly id: string;
    readonly keyName: string;
    readonly scopes: Scope[];
    readonly restricted: boolean;
    readonly lastUsedAt: Date | null;
  };

/**
 * Finds who holds an API key: one indexed look-up by its hash, none for a text that cannot be a key.
 * Gives null for an unknown, expired or revoked key and for a suspended owner, without telling which.
 */
export async function authenticateApiKey(database: Database, token: string, now: Date): Promise<Actor | null> {
  if (!isWellFormedToken("kb_", token)) return null;
  // The team is not known yet: the key's hash names it.
  const [row] = await database.beforeTeam.rows<KeyRow>(sql`
    SELECT k.id, k.name AS "keyName", k.scopes, k.restricted, k."lastUsedAt", ${actorColumns}, ${mcpColumns}
    FROM api_keys k JOIN users u ON u."teamId" = k."teamId" AND u.id = k."userId" JOIN teams t ON t.id = k."teamId"
    WHERE k.hash = ${hashToken(token)} AND k."revokedAt" IS NULL
      AND (k."expiresAt" IS NULL OR k."expiresAt" > ${now}) AND u."suspendedAt" IS NULL`);
  if (row === undefined) return null;
  if (isUseDue(row.lastUsedAt, now)) {
    await database.client.apiKey.updateMany({
      where: { teamId: row.teamId, id: row.id, ...whereUseDue(now) },
      data: { lastUsedAt: now },
    });
  }
  const credential = { kind: "api_key", id: row.id, name: row.keyName } as const;
  const restrictedKeyId = row.restricted ? row.id : null;
  return actorFrom(row, { credential, scopes: row.scopes, restrictedKeyId, mcp: mcpSwitchOf(row) });
}
