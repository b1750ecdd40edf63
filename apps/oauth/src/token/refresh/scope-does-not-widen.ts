import type { GrantScope, HeldGrant } from "@kb/auth";
import { OauthError } from "../../oauth-error.ts";
import { askedScopes } from "../../scopes.ts";
import type { TokenRequest } from "../token-request.ts";

/**
 * RFC 6749 §6: what is asked for may be less than what was granted, never more; all of it where nothing is asked.
 * @throws {OauthError} `invalid_scope`
 */
export function requireNoWiderScope({ parameters }: TokenRequest, { scopes }: HeldGrant): readonly GrantScope[] {
  const asked = askedScopes(parameters.get("scope"));
  if (asked.every((scope) => scopes.includes(scope))) return asked.length === 0 ? scopes : asked;
  throw new OauthError("invalid_scope", `Granted was '${scopes.join(" ")}'. For more, ask the user again.`);
}
