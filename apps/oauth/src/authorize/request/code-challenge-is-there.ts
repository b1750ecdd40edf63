import { OauthError } from "../../oauth-error.ts";
import type { Check } from "./asked.ts";

/** OAuth 2.1 §4.1.1: every client proves by PKCE that it is the one that asked. */
export const codeChallengeIsThere: Check = ({ parameters }) => {
  if (parameters.get("code_challenge") !== undefined) return;
  throw new OauthError("invalid_request", "code_challenge is missing: PKCE with the method S256 is required.");
};
