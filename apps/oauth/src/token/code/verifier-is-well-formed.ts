import { OauthError } from "../../oauth-error.ts";
import type { Check } from "../token-request.ts";

/** RFC 7636 §4.1: a verifier has 43 to 128 unreserved characters: a shorter one could be guessed. */
export const verifierIsWellFormed: Check<unknown> = ({ parameters }) => {
  if (/^[A-Za-z0-9._~-]{43,128}$/.test(parameters.get("code_verifier") ?? "")) return;
  throw new OauthError(
    "invalid_grant",
    "The parameter code_verifier must have 43 to 128 letters, digits, '-', '.', '_', '~'.",
  );
};
