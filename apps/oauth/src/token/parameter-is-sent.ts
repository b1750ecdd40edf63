import { OauthError } from "../oauth-error.ts";
import type { Parameters } from "../parameters/read-parameters.ts";

/** RFC 6749 §4.1.3, §6. @throws {OauthError} `invalid_request` where a parameter that the request needs is missing. */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OauthError("invalid_request", `The parameter ${name} is missing.`);
  return value;
}
