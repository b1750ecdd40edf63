import { type Database, sql } from "@kb/db";
import type { Actor } from "./actor.ts";

/** Names what a caller came in by, among those of all teams: a key, or one access token of a grant. */
export function credentialKey({ credential: { id, token } }: Pick<Actor, "credential">): string {
  return token === undefined ? id : keyOfToken(id, Buffer.from(token.hash).toString("hex"));
}

const keyOfToken = (grantId: string, hash: string): string => `${grantId} ${hash}`;

/** When the team's switch for assistants was turned last. */
export type LiveCredential = { readonly switchedAt: Date | null };

type Row = { readonly id: string; readonly token: string | null; readonly switchedAt: Date | null };

/**
 * Which of these callers may still keep something of an assistant open, by their `credentialKey`: their API key or access
 * token and its grant neither revoked nor run out, of a user who is not suspended, in a team that lets assistants in. One
 * statement, over all teams of this process.
 */
export async function liveCredentials(
  database: Database,
  callers: readonly Pick<Actor, "teamId" | "credential">[],
  now: Date,
): Promise<ReadonlyMap<string, LiveCredential>> {
  const keys = callers.filter(({ credential }) => credential.kind === "api_key");
  const apps = callers.flatMap(({ teamId, credential: { id, token } }) =>
    token === undefined ? [] : [{ teamId, id, hash: Buffer.from(token.hash).toString("hex") }],
  );
  const rows = await database.acrossTeams.rows<Row>(sql`
    SELECT held.id, held.token, t."mcpSwitchedAt" AS "switchedAt" FROM (
      SELECT k."teamId", k.id, k."userId", NULL AS token
        FROM unnest(${keys.map(({ teamId }) => teamId)}::uuid[], ${keys.map(({ credential }) => credential.id)}::uuid[])
          AS r("teamId", id) JOIN api_keys k USING ("teamId", id)
        WHERE k."revokedAt" IS NULL AND (k."expiresAt" IS NULL OR k."expiresAt" > ${now})
      UNION ALL
      SELECT g."teamId", g.id, g."userId", r.hash AS token
        FROM unnest(${apps.map(({ teamId }) => teamId)}::uuid[], ${apps.map(({ id }) => id)}::uuid[],
          ${apps.map(({ hash }) => hash)}::text[]) AS r("teamId", id, hash) JOIN oauth_grants g USING ("teamId", id)
        JOIN oauth_tokens k ON k."teamId" = g."teamId" AND k.hash = decode(r.hash, 'hex') AND k."grantId" = g.id
        WHERE g."revokedAt" IS NULL AND g."expiresAt" > ${now} AND k."expiresAt" > ${now}
    ) held
    JOIN users u ON u."teamId" = held."teamId" AND u.id = held."userId" AND u."suspendedAt" IS NULL
    JOIN teams t ON t.id = held."teamId" AND t."mcpEnabled"`);
  return new Map(
    rows.map(({ id, token, switchedAt }) => [token === null ? id : keyOfToken(id, token), { switchedAt }]),
  );
}
