import { type Database, type Sql, sql } from "@kb/db";
import type { Actor, McpSwitch, Scope } from "./actor.ts";
import { type ActorRow, actorColumns, actorFrom, mcpColumns, mcpSwitchOf } from "./actor-row.ts";
import { hashToken, isWellFormedToken } from "./api-key.ts";
import { isUseDue, recordedUse } from "./last-use.ts";

/** An API key with its owner, as the database holds them. */
export type KeyRow = ActorRow &
  McpSwitch & {
    readonly id: string;
    readonly keyName: string;
    readonly scopes: Scope[];
    readonly restricted: boolean;
    readonly lastUsedAt: Date | null;
  };

/**
 * Finds the owner of an API key: one indexed look-up by its hash, none for a text that cannot be a key.
 * Returns null for an unknown, expired or revoked key and for a suspended owner, without revealing which.
 */
export async function authenticateApiKey(database: Database, token: string, now: Date): Promise<Actor | null> {
  if (!isWellFormedToken("kb_", token)) return null;
  // The team is not known yet: the hash of the key identifies it.
  const [row] = await database.beforeTeam.rows<KeyRow>(keyLookUp(token, now));
  if (row === undefined) return null;
  await recordKeyUse(database, row, now);
  return keyActor(row);
}

/** Returns the statement that selects the `KeyRow` of a valid key: none for an unknown, expired or revoked one. */
export function keyLookUp(token: string, now: Date): Sql {
  return sql`
    SELECT k.id, k.name AS "keyName", k.scopes, k.restricted, k."lastUsedAt", ${actorColumns}, ${mcpColumns}
    FROM api_keys k JOIN users u ON u."teamId" = k."teamId" AND u.id = k."userId" JOIN teams t ON t.id = k."teamId"
    WHERE k.hash = ${hashToken(token)} AND k."revokedAt" IS NULL
      AND (k."expiresAt" IS NULL OR k."expiresAt" > ${now}) AND u."suspendedAt" IS NULL`;
}

/** Records the use of a key at most once a minute; of concurrent uses, one is written. */
export async function recordKeyUse(database: Database, { teamId, id, lastUsedAt }: KeyRow, now: Date): Promise<void> {
  if (!isUseDue(lastUsedAt, now)) return;
  const own = sql`"teamId" = ${teamId}::uuid AND id = ${id}::uuid`;
  await database.execute(sql`UPDATE api_keys ${recordedUse(now, own)}`);
}

/** Returns the caller with this key. */
export function keyActor(row: KeyRow): Actor {
  const credential = { kind: "api_key", id: row.id, name: row.keyName } as const;
  const restrictedKeyId = row.restricted ? row.id : null;
  return actorFrom(row, { credential, scopes: row.scopes, restrictedKeyId, mcp: mcpSwitchOf(row) });
}
