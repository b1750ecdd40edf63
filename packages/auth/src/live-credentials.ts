import { type Database, sql } from "@kb/db";
import type { Actor } from "./actor.ts";
import { type ActorRow, actorColumns } from "./actor-row.ts";
import { knownCapabilities } from "./capabilities.ts";
import { rightsOf } from "./rights.ts";

/** Identifies a credential among those of all teams: an API key, or one access token of a grant. */
export function credentialKey({ credential: { id, token } }: Pick<Actor, "credential">): string {
  return token === undefined ? id : tokenKey(id, Buffer.from(token.hash).toString("hex"));
}

const tokenKey = (grantId: string, hash: string): string => `${grantId} ${hash}`;

/** The current state of a credential. */
export type LiveCredential = {
  /** For an assistant, when the team's switch was last changed; null for a log-in. */
  readonly switchedAt: Date | null;
  /** The rights of its user, as `rightsOf` returns them. */
  readonly rights: string;
};

type Row = ActorRow & { readonly id: string; readonly token: string | null; readonly switchedAt: Date | null };

/**
 * Finds the callers who may keep a stream open, by their `credentialKey`: their log-in has not ended, or their API key or
 * access token and its grant are neither revoked nor expired and the team has MCP on; and the user is not suspended. One
 * statement for all teams of the process.
 */
export async function liveCredentials(
  database: Database,
  callers: readonly Pick<Actor, "teamId" | "credential">[],
  now: Date,
): Promise<ReadonlyMap<string, LiveCredential>> {
  const keys = callers.filter(({ credential }) => credential.kind === "api_key");
  const logIns = callers.filter(({ credential }) => credential.kind === "session");
  const apps = callers.flatMap(({ teamId, credential: { id, token } }) =>
    token === undefined ? [] : [{ teamId, id, hash: Buffer.from(token.hash).toString("hex") }],
  );
  const rows = await database.acrossTeams.rows<Row>(sql`
    SELECT held.id, held.token, CASE WHEN held.assistant THEN t."mcpSwitchedAt" END AS "switchedAt", ${actorColumns} FROM (
      SELECT k."teamId", k.id, k."userId", NULL AS token, TRUE AS assistant
        FROM unnest(${keys.map(({ teamId }) => teamId)}::uuid[], ${keys.map(({ credential }) => credential.id)}::uuid[])
          AS r("teamId", id) JOIN api_keys k USING ("teamId", id)
        WHERE k."revokedAt" IS NULL AND (k."expiresAt" IS NULL OR k."expiresAt" > ${now})
      UNION ALL
      SELECT s."teamId", s.id, s."userId", NULL AS token, FALSE AS assistant
        FROM unnest(${logIns.map(({ teamId }) => teamId)}::uuid[], ${logIns.map(({ credential }) => credential.id)}::uuid[])
          AS r("teamId", id) JOIN browser_sessions s USING ("teamId", id)
        WHERE s."expiresAt" > ${now}
      UNION ALL
      SELECT g."teamId", g.id, g."userId", r.hash AS token, TRUE AS assistant
        FROM unnest(${apps.map(({ teamId }) => teamId)}::uuid[], ${apps.map(({ id }) => id)}::uuid[],
          ${apps.map(({ hash }) => hash)}::text[]) AS r("teamId", id, hash) JOIN oauth_grants g USING ("teamId", id)
        JOIN oauth_tokens k ON k."teamId" = g."teamId" AND k.hash = decode(r.hash, 'hex') AND k."grantId" = g.id
        WHERE g."revokedAt" IS NULL AND g."expiresAt" > ${now} AND k."expiresAt" > ${now}
    ) held
    JOIN users u ON u."teamId" = held."teamId" AND u.id = held."userId" AND u."suspendedAt" IS NULL
    JOIN teams t ON t.id = held."teamId" AND (t."mcpEnabled" OR NOT held.assistant)`);
  return new Map(
    rows.map(({ id, token, switchedAt, ...user }) => [
      token === null ? id : tokenKey(id, token),
      { switchedAt, rights: rightsOf({ ...user, capabilities: knownCapabilities(user.capabilities) }) },
    ]),
  );
}
