import type { HeldCode } from "@kb/auth";
import { OauthError } from "../../oauth-error.ts";
import type { Check } from "../token-request.ts";

/**
 * RFC 6749 §4.1.3: the redirect URI, where it is sent, is the one to which the code went, to the letter. OAuth 2.1 §10.2:
 * clients of that revision send none.
 */
export const redirectUriIsTheSame: Check<HeldCode> = ({ parameters }, { redirectUri }) => {
  const sent = parameters.get("redirect_uri");
  if (sent === undefined || sent === redirectUri) return;
  throw new OauthError("invalid_grant", "The parameter redirect_uri is not the one of the authorization request.");
};
