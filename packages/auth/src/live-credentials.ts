import { type Database, type Sql, sql } from "@kb/db";
import type { CredentialKind } from "./actor.ts";

/** Names a credential of a team, without the secret that proves it. */
export type CredentialRef = { readonly teamId: string; readonly kind: CredentialKind; readonly id: string };

/** When the team's switch for assistants was turned last. */
export type LiveCredential = { readonly switchedAt: Date | null };

/**
 * Which of these API keys and grants may still keep something of an assistant open, by their ids: neither revoked nor run
 * out, of a user who is not suspended, in a team that lets assistants in. One statement, over all teams of this process.
 */
export async function liveCredentials(
  database: Database,
  refs: readonly CredentialRef[],
  now: Date,
): Promise<ReadonlyMap<string, LiveCredential>> {
  const named = (kind: CredentialKind): Sql => {
    const own = refs.filter((ref) => ref.kind === kind);
    return sql`unnest(${own.map(({ teamId }) => teamId)}::uuid[], ${own.map(({ id }) => id)}::uuid[]) AS r("teamId", id)`;
  };
  const rows = await database.acrossTeams.rows<{ id: string; switchedAt: Date | null }>(sql`
    SELECT held.id, t."mcpSwitchedAt" AS "switchedAt" FROM (
      SELECT "teamId", id, k."userId" FROM ${named("api_key")} JOIN api_keys k USING ("teamId", id)
        WHERE k."revokedAt" IS NULL AND (k."expiresAt" IS NULL OR k."expiresAt" > ${now})
      UNION ALL
      SELECT "teamId", id, g."userId" FROM ${named("oauth")} JOIN oauth_grants g USING ("teamId", id)
        WHERE g."revokedAt" IS NULL AND g."expiresAt" > ${now}
    ) held
    JOIN users u ON u."teamId" = held."teamId" AND u.id = held."userId" AND u."suspendedAt" IS NULL
    JOIN teams t ON t.id = held."teamId" AND t."mcpEnabled"`);
  return new Map(rows.map(({ id, switchedAt }) => [id, { switchedAt }]));
}
