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
import { type IssuedTokens, type Issuing, issueAccess, keepRefresh } from "./issue.ts";
import { openSuccessor, sealSuccessor } from "./successor.ts";
import { isOauthToken, makeOauthToken } from "./tokens.ts";

/** A client whose answer got lost may come again for so long, whatever became of the successor. */
const graceMs = 60_000;

/** How a refresh token is presented. */
export type Refreshing = Issuing & {
  /** Gives the scopes that are asked for; throws for a request that may not use the token: nothing has happened then. */
  readonly check: (grant: HeldGrant) => readonly GrantScope[];
  readonly endGrant: EndGrant;
};

/** What came of presenting it: tokens; or nothing, since it is unknown, ran out, or ended the grant. */
export type Refreshed = { readonly kind: "issued"; readonly tokens: IssuedTokens } | { readonly kind: "refused" };

type RefreshRow = {
  readonly hash: Uint8Array;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly nextSealed: Uint8Array | null;
};

/**
 * Rotates a refresh token: it gives its successor once. Presented again within a minute, or before the successor was used,
 * it gives that same successor: real clients lose answers, and send several requests at once. Later it ends the grant, for
 * two hold what one should (RFC 9700 §4.14.2).
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
    // Read behind the lock: whoever rotated it meanwhile has committed.
    const row = await readRow(tx, ref.teamId, [ref.hash]);
    if (grant === null || row === null) return { kind: "refused" };
    const scopes = check(grant);
    const next =
      row.usedAt === null
        ? await rotate(tx, grant, token, row, refreshing)
        : await again(tx, grant, token, row, refreshing);
    if (next === "reused") return { kind: "misused", ...grant, reason: "refresh_token_reused" };
    if (next === null) return { kind: "refused" };
    const access = await issueAccess(tx, grant, scopes, refreshing);
    return { kind: "issued", tokens: { refreshToken: next, scopes, ...access } };
  });
  return outcome.kind === "misused" ? endMisused(database, outcome, endGrant) : outcome;
}

/** The successor of a token that was not used before; null where it ran out. */
async function rotate(
  tx: Tx,
  grant: HeldGrant,
  token: string,
  { hash }: RefreshRow,
  issuing: Issuing,
): Promise<string | null> {
  const { teamId } = grant;
  const { now } = issuing;
  const next = makeOauthToken("kbrt_");
  const used =
    await tx.execute(sql`UPDATE oauth_tokens SET "usedAt" = ${now}, "nextSealed" = ${sealSuccessor(token, next)}
    WHERE "teamId" = ${teamId}::uuid AND hash = ${hash} AND "usedAt" IS NULL AND "expiresAt" > ${now}`);
  if (used === 0) return null;
  await keepRefresh(tx, grant, next, issuing);
  return next;
}

/** The successor of a token that was used before. */
async function again(
  tx: Tx,
  grant: HeldGrant,
  token: string,
  { usedAt, nextSealed, expiresAt }: RefreshRow,
  { keys, now }: Issuing,
): Promise<string | "reused" | null> {
  if (usedAt === null || nextSealed === null) return "reused";
  const next = openSuccessor(token, nextSealed);
  const successor = await readRow(tx, grant.teamId, keys.hashes(next));
  // What ran out is thrown away some time later.
  if (successor === null) return null;
  const late = now.getTime() - usedAt.getTime() > graceMs;
  if (successor.usedAt !== null && late) return "reused";
  // One that ran out itself is as good as none, though its successor lives.
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
  // The team is not known yet: the token's hash names it.
  const [row] = await database.beforeTeam.rows<GrantRef & Pick<RefreshRow, "hash">>(sql`
    SELECT "teamId", "grantId", hash FROM oauth_tokens
    WHERE hash IN (${join([...keys.hashes(token)])}) AND kind = 'refresh'`);
  return row ?? null;
}
