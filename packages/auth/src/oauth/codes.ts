import type { Tx } from "@kb/db";
import type { GrantRef } from "./grants.ts";
import type { OauthKeys } from "./keys.ts";
import { codeExpiry, type OauthLifetimes } from "./lifetimes.ts";
import { makeOauthToken } from "./tokens.ts";

/** What a code is bound to besides its grant. */
export type CodeBinding = {
  /** As the request named it, to the letter. */
  readonly redirectUri: string;
  /** BASE64URL(SHA256(verifier)), RFC 7636 §4.2. */
  readonly codeChallenge: string;
};

/** Issues the code by which the client gets the grant's first tokens; it is in the answer and nowhere else. */
export async function issueCode(
  tx: Tx,
  grant: GrantRef,
  { redirectUri, codeChallenge }: CodeBinding,
  { keys, now, lifetimes }: { keys: OauthKeys; now: Date; lifetimes: OauthLifetimes },
): Promise<string> {
  const code = makeOauthToken("kbac_");
  const { teamId, grantId } = grant;
  const expiresAt = codeExpiry(now, lifetimes);
  await tx.oauthCode.create({
    data: { teamId, grantId, hash: keys.hash(code), redirectUri, codeChallenge, expiresAt },
  });
  return code;
}
