import { createHash } from "node:crypto";
import { type HeldCode, type IssuedTokens, isSameSecret, redeemCode } from "@kb/auth";
import type { Service } from "@kb/core";
import { OauthError } from "../oauth-error.ts";
import {
  type Check,
  requireAll,
  requireGrantedResource,
  requireParameter,
  requireSameClient,
  type TokenIssuing,
  type TokenRequest,
} from "./token-request.ts";

/**
 * RFC 6749 §4.1.3: a redirect URI, if sent, is the one that the code was delivered to. Clients of OAuth 2.1 send none
 * (OAuth 2.1 §10.2).
 */
const requireSameRedirectUri: Check<HeldCode> = ({ parameters }, { redirectUri }) => {
  const sent = parameters.get("redirect_uri");
  if (sent === undefined || sent === redirectUri) return;
  throw new OauthError("invalid_grant", "The parameter redirect_uri differs from the authorization request.");
};

/** RFC 7636 §4.1: a verifier has 43 to 128 unreserved characters; a shorter one could be guessed. */
const requireVerifierSyntax: Check<HeldCode> = ({ parameters }) => {
  if (/^[A-Za-z0-9._~-]{43,128}$/.test(parameters.get("code_verifier") ?? "")) return;
  throw new OauthError(
    "invalid_grant",
    "The parameter code_verifier must have 43 to 128 letters, digits, '-', '.', '_' or '~'.",
  );
};

/** RFC 7636 §4.6, S256: BASE64URL(SHA256(ASCII(code_verifier))) == code_challenge. */
const requireMatchingVerifier: Check<HeldCode> = ({ parameters }, { codeChallenge }) => {
  const verifier = parameters.get("code_verifier") ?? "";
  const computed = createHash("sha256").update(verifier).digest("base64url");
  if (isSameSecret(computed, codeChallenge)) return;
  throw new OauthError("invalid_grant", "The parameter code_verifier does not match the code_challenge.");
};

/** The clauses that a request must meet before a code is used up, in order. */
const codeChecks: readonly Check<HeldCode>[] = [
  requireSameClient,
  requireSameRedirectUri,
  requireVerifierSyntax,
  requireMatchingVerifier,
  requireGrantedResource,
];

/** Redeems a code for the first tokens of its grant (`grant_type=authorization_code`). @throws {OauthError} */
export async function issueForCode(
  { database }: Service,
  request: TokenRequest,
  issuing: TokenIssuing,
): Promise<IssuedTokens> {
  const code = requireParameter(request.parameters, "code");
  requireParameter(request.parameters, "code_verifier");
  const check = (held: HeldCode) => requireAll(codeChecks, request, held);
  const redemption = await redeemCode(database, code, { ...issuing, check });
  if (redemption.kind === "issued") return redemption.tokens;
  throw new OauthError("invalid_grant", "The code is unknown, expired or already used. Request a new one.");
}
