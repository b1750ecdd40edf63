import { OauthError } from "../../oauth-error.ts";
import type { Check } from "./asked.ts";

/** RFC 7636 §4.3: left out it would be `plain`, which proves nothing to somebody who saw the request. */
export const codeChallengeMethodIsS256: Check = ({ parameters }) => {
  if (parameters.get("code_challenge_method") === "S256") return;
  throw new OauthError("invalid_request", "code_challenge_method must be S256: plain is not accepted.");
};
