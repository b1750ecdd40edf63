import type { EndGrant, HeldGrant, Issuing, OauthClient } from "@kb/auth";
import { OauthError } from "../oauth-error.ts";
import type { Parameters } from "../parameters.ts";

/** A token request of an authenticated client. */
export type TokenRequest = {
  readonly client: OauthClient;
  readonly parameters: Parameters;
  /** The resource that the tokens are for. */
  readonly resource: string;
};

/** The settings for issuing tokens, and the function that ends a misused grant. */
export type TokenIssuing = Issuing & { readonly endGrant: EndGrant };

const grantTypes = ["authorization_code", "refresh_token"] as const;

/** The grant types of the token endpoint. */
export type GrantType = (typeof grantTypes)[number];

/** RFC 6749 §5.2. @throws {OauthError} `unsupported_grant_type`, or `invalid_request` if it is missing. */
export function requireGrantType(parameters: Parameters): GrantType {
  const named = requireParameter(parameters, "grant_type");
  const found = grantTypes.find((type) => type === named);
  if (found === undefined) throw new OauthError("unsupported_grant_type", `Use ${grantTypes.join(" or ")}.`);
  return found;
}

/** RFC 6749 §4.1.3, §6. @throws {OauthError} `invalid_request` for a missing parameter. */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OauthError("invalid_request", `The parameter ${name} is missing.`);
  return value;
}

/** One clause that a request must meet before its code or refresh token is used. @throws {OauthError} */
export type Check<Held> = (request: TokenRequest, held: Held) => void;

/** Runs the checks in order. @throws {OauthError} of the first that fails. */
export function requireAll<Held>(checks: readonly Check<Held>[], request: TokenRequest, held: Held): void {
  for (const check of checks) check(request, held);
}

/** RFC 6749 §5.2: a client may not use a code or refresh token that was issued to another client. */
export const requireSameClient: Check<{ readonly grant: HeldGrant }> = ({ client }, { grant }) => {
  if (grant.clientId !== client.id) throw new OauthError("invalid_grant", "This was issued to another client.");
};

/** RFC 8707 §2.2: tokens are issued only for the resource of the grant. */
export const requireGrantedResource: Check<{ readonly grant: HeldGrant }> = ({ resource }, { grant }) => {
  if (grant.resource !== resource) throw new OauthError("invalid_target", "This was granted for another resource.");
};
