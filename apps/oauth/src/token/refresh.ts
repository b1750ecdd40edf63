import { type GrantScope, type HeldGrant, type IssuedTokens, rotateRefreshToken } from "@kb/auth";
import type { Service } from "@kb/core";
import { OauthError } from "../oauth-error.ts";
import { readScopes } from "../scopes.ts";
import {
  type Check,
  requireAll,
  requireGrantedResource,
  requireParameter,
  requireSameClient,
  type TokenIssuing,
  type TokenRequest,
} from "./token-request.ts";

/** The clauses that a request must meet before a refresh token is used, in order; its scope is checked after them. */
const refreshChecks: readonly Check<{ readonly grant: HeldGrant }>[] = [requireSameClient, requireGrantedResource];

/**
 * RFC 6749 §6: the requested scope may be narrower than the granted one, never wider. Returns the scopes of the access
 * token: without a requested scope, all that were granted.
 * @throws {OauthError} `invalid_scope`
 */
function requireGrantedScope({ parameters }: TokenRequest, { scopes }: HeldGrant): readonly GrantScope[] {
  const requested = readScopes(parameters.get("scope"));
  if (requested.every((scope) => scopes.includes(scope))) return requested.length === 0 ? scopes : requested;
  throw new OauthError("invalid_scope", `The granted scope is '${scopes.join(" ")}'. For more, ask the user again.`);
}

/** Rotates a refresh token and issues an access token (`grant_type=refresh_token`). @throws {OauthError} */
export async function issueForRefreshToken(
  { database }: Service,
  request: TokenRequest,
  issuing: TokenIssuing,
): Promise<IssuedTokens> {
  const token = requireParameter(request.parameters, "refresh_token");
  const check = (grant: HeldGrant): readonly GrantScope[] => {
    requireAll(refreshChecks, request, { grant });
    return requireGrantedScope(request, grant);
  };
  const refreshed = await rotateRefreshToken(database, token, { ...issuing, check });
  if (refreshed.kind === "issued") return refreshed.tokens;
  throw new OauthError("invalid_grant", "The refresh token is unknown, revoked, expired or already used.");
}
