import { OauthError } from "../oauth-error.ts";
import type { Parameters } from "../parameters/read-parameters.ts";

const supported = ["authorization_code", "refresh_token"] as const;

/** By what tokens are asked for. */
export type GrantType = (typeof supported)[number];

/** RFC 6749 §5.2. @throws {OauthError} `unsupported_grant_type`, or `invalid_request` where none is named. */
export function requireGrantType(parameters: Parameters): GrantType {
  const named = parameters.get("grant_type");
  if (named === undefined) throw new OauthError("invalid_request", "The parameter grant_type is missing.");
  const found = supported.find((type) => type === named);
  if (found === undefined) throw new OauthError("unsupported_grant_type", `Use ${supported.join(" or ")}.`);
  return found;
}
