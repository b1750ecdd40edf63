import type { HeldGrant } from "@kb/auth";
import { OauthError } from "../oauth-error.ts";
import type { Check } from "./token-request.ts";

/** RFC 6749 §5.2: a code or refresh token that was issued to another client is none of this one's. */
export const grantIsTheClients: Check<{ readonly grant: HeldGrant }> = ({ client }, { grant }) => {
  if (grant.clientId !== client.id) throw new OauthError("invalid_grant", "This was issued to another client.");
};
