import { OauthError } from "../../oauth-error.ts";
import type { Check } from "./asked.ts";

/** RFC 7636 §4.2: BASE64URL(SHA256(verifier)) has 43 characters, whatever the verifier. */
export const codeChallengeIsADigest: Check = ({ parameters }) => {
  if (/^[\w-]{43}$/.test(parameters.get("code_challenge") ?? "")) return;
  throw new OauthError("invalid_request", "code_challenge must be the base64url of a SHA-256: 43 characters.");
};
