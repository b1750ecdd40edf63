import { type Database, join, sql, type Tx } from "@kb/db";
import { type EndGrant, endMisused, type GrantRef, type HeldGrant, lockGrant, type Misused } from "./grants.ts";
import { type IssuedTokens, type Issuing, issueAccessToken, storeRefreshToken } from "./issue.ts";
import { codeExpiry } from "./lifetimes.ts";
import { createOauthToken, isOauthToken } from "./tokens.ts";

/** The values that a code is bound to, besides its grant. */
export type CodeBinding = {
  /** As in the authorization request, character for character. */
  readonly redirectUri: string;
  /** BASE64URL(SHA256(verifier)), RFC 7636 §4.2. */
  readonly codeChallenge: string;
};

/** A code with its locked grant. */
export type HeldCode = CodeBinding & { readonly grant: HeldGrant };

/** Issues the code for the grant's first tokens. It is in this answer and is stored nowhere. */
export async function issueCode(
  tx: Tx,
  grant: GrantRef,
  { redirectUri, codeChallenge }: CodeBinding,
  { keys, now, lifetimes }: Issuing,
): Promise<string> {
  const code = createOauthToken("kbac_");
  const { teamId, grantId } = grant;
  const expiresAt = codeExpiry(now, lifetimes);
  await tx.oauthCode.create({
    data: { teamId, grantId, hash: keys.hash(code), redirectUri, codeChallenge, expiresAt },
  });
  return code;
}

/** The parameters of redeeming a code. */
export type Redeeming = Issuing & {
  /** Throws for a request that may not redeem the code; then nothing changes. */
  readonly check: (held: HeldCode) => void;
  readonly endGrant: EndGrant;
};

/** The result of redeeming a code: tokens, or a refusal if it is unknown, expired or already used. */
export type Redemption = { readonly kind: "issued"; readonly tokens: IssuedTokens } | { readonly kind: "refused" };

type CodeRow = CodeBinding & GrantRef & { readonly hash: Uint8Array; readonly expiresAt: Date };

/**
 * Redeems a code: of any number of concurrent requests, one gets tokens. A later request that passes the same checks ends the
 * grant, because the code has leaked (RFC 6749 §4.1.2).
 */
export async function redeemCode(database: Database, code: string, redeeming: Redeeming): Promise<Redemption> {
  const row = await findCode(database, code, redeeming);
  if (row === null) return { kind: "refused" };
  const { now, check, endGrant } = redeeming;
  const { teamId, hash, redirectUri, codeChallenge } = row;
  const outcome = await database.transaction(async (tx): Promise<Redemption | Misused> => {
    const grant = await lockGrant(tx, row, now);
    if (grant === null) return { kind: "refused" };
    check({ redirectUri, codeChallenge, grant });
    const redeemed = await tx.execute(sql`UPDATE oauth_codes SET "usedAt" = ${now}
      WHERE "teamId" = ${teamId}::uuid AND hash = ${hash} AND "usedAt" IS NULL AND "expiresAt" > ${now}`);
    if (redeemed === 1) return { kind: "issued", tokens: await firstTokens(tx, grant, redeeming) };
    const [used] = await tx.rows(sql`SELECT 1 FROM oauth_codes
      WHERE "teamId" = ${teamId}::uuid AND hash = ${hash} AND "usedAt" IS NOT NULL`);
    return used === undefined ? { kind: "refused" } : { kind: "misused", ...grant, reason: "code_reused" };
  });
  return outcome.kind === "misused" ? endMisused(database, outcome, endGrant) : outcome;
}

async function firstTokens(tx: Tx, grant: HeldGrant, issuing: Issuing): Promise<IssuedTokens> {
  const { scopes } = grant;
  const refreshToken = createOauthToken("kbrt_");
  await storeRefreshToken(tx, grant, refreshToken, issuing);
  const access = await issueAccessToken(tx, grant, scopes, issuing);
  return { refreshToken, scopes, ...access };
}

async function findCode(database: Database, code: string, { keys }: Issuing): Promise<CodeRow | null> {
  if (!isOauthToken("kbac_", code)) return null;
  // The team is not known yet: the hash of the code identifies it.
  const [row] = await database.beforeTeam.rows<CodeRow>(sql`
    SELECT "teamId", "grantId", hash, "redirectUri", "codeChallenge", "expiresAt"
    FROM oauth_codes WHERE hash IN (${join([...keys.hashes(code)])})`);
  return row ?? null;
}
