import { type Database, join, sql, type Tx } from "@kb/db";
import {
  type EndGrant,
  endMisused,
  type GrantRef,
  type GrantScope,
  type HeldGrant,
  lockGrant,
  type Misused,
} from "./grants.ts";
import { type IssuedTokens, type Issuing, issueAccessToken, storeRefreshToken } from "./issue.ts";
import { openSuccessor, sealSuccessor } from "./successor.ts";
import { createOauthToken, isOauthToken } from "./tokens.ts";

/** The time in which a client that lost the answer may repeat the request, even if the successor was used. */
const graceMs = 60_000;

/** A refresh token as a client presents it. */
export type Refreshing = Issuing & {
  /** Returns the requested scopes. Throws for a request that may not use the token; then nothing changes. */
  readonly check: (grant: HeldGrant) => readonly GrantScope[];
  readonly endGrant: EndGrant;
};

/** The result of presenting a refresh token: tokens, or a refusal if it is unknown, expired or reused. */
export type Refreshed = { readonly kind: "issued"; readonly tokens: IssuedTokens } | { readonly kind: "refused" };

type RefreshRow = {
  readonly hash: Uint8Array;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly nextSealed: Uint8Array | null;
};

/**
 * Rotates a refresh token: issues its successor and an access token. A token that is presented again within a minute, or
 * before its successor was used, returns the same successor, because clients lose answers and send concurrent requests.
 * Later reuse ends the grant: two parties hold the token (RFC 9700 §4.14.2).
 */
export async function rotateRefreshToken(
  database: Database,
  token: string,
  refreshing: Refreshing,
): Promise<Refreshed> {
  const ref = await findRefreshToken(database, token, refreshing);
  if (ref === null) return { kind: "refused" };
  const { now, check, endGrant } = refreshing;
  const outcome = await database.transaction(async (tx): Promise<Refreshed | Misused> => {
    const grant = await lockGrant(tx, ref, now);
    // Read under the lock: a concurrent rotation has committed.
    const row = await readRow(tx, ref.teamId, [ref.hash]);
    if (grant === null || row === null) return { kind: "refused" };
    const scopes = check(grant);
    const next =
      row.usedAt === null
        ? await issueSuccessor(tx, grant, token, row, refreshing)
        : await successorOfUsedToken(tx, grant, token, row, refreshing);
    if (next === "reused") return { kind: "misused", ...grant, reason: "refresh_token_reused" };
    if (next === null) return { kind: "refused" };
    const access = await issueAccessToken(tx, grant, scopes, refreshing);
    return { kind: "issued", tokens: { refreshToken: next, scopes, ...access } };
  });
  return outcome.kind === "misused" ? endMisused(database, outcome, endGrant) : outcome;
}

/** Issues the successor of an unused token; null if the token has expired. */
async function issueSuccessor(
  tx: Tx,
  grant: HeldGrant,
  token: string,
  { hash }: RefreshRow,
  issuing: Issuing,
): Promise<string | null> {
  const { teamId } = grant;
  const { now } = issuing;
  const next = createOauthToken("kbrt_");
  const used =
    await tx.execute(sql`UPDATE oauth_tokens SET "usedAt" = ${now}, "nextSealed" = ${sealSuccessor(token, next)}
    WHERE "teamId" = ${teamId}::uuid AND hash = ${hash} AND "usedAt" IS NULL AND "expiresAt" > ${now}`);
  if (used === 0) return null;
  await storeRefreshToken(tx, grant, next, issuing);
  return next;
}

/** Returns the successor of a used token; `reused` after the grace period, null if either has expired. */
async function successorOfUsedToken(
  tx: Tx,
  grant: HeldGrant,
  token: string,
  { usedAt, nextSealed, expiresAt }: RefreshRow,
  { keys, now }: Issuing,
): Promise<string | "reused" | null> {
  if (usedAt === null || nextSealed === null) return "reused";
  const next = openSuccessor(token, nextSealed);
  const successor = await readRow(tx, grant.teamId, keys.hashes(next));
  // Expired tokens are deleted some time later.
  if (successor === null) return null;
  const late = now.getTime() - usedAt.getTime() > graceMs;
  if (successor.usedAt !== null && late) return "reused";
  // An expired token returns no successor, even a live one.
  return expiresAt > now && successor.expiresAt > now ? next : null;
}

async function readRow(tx: Tx, teamId: string, hashes: readonly Uint8Array[]): Promise<RefreshRow | null> {
  const [row] = await tx.rows<RefreshRow>(sql`SELECT hash, "expiresAt", "usedAt", "nextSealed" FROM oauth_tokens
    WHERE "teamId" = ${teamId}::uuid AND hash IN (${join([...hashes])}) AND kind = 'refresh'`);
  return row ?? null;
}

async function findRefreshToken(
  database: Database,
  token: string,
  { keys }: Issuing,
): Promise<(GrantRef & Pick<RefreshRow, "hash">) | null> {
  if (!isOauthToken("kbrt_", token)) return null;
  // The team is not known yet: the hash of the token identifies it.
  const [row] = await database.beforeTeam.rows<GrantRef & Pick<RefreshRow, "hash">>(sql`
    SELECT "teamId", "grantId", hash FROM oauth_tokens
    WHERE hash IN (${join([...keys.hashes(token)])}) AND kind = 'refresh'`);
  return row ?? null;
}
