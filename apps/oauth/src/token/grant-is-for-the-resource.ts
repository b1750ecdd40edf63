import type { HeldGrant } from "@kb/auth";
import { OauthError } from "../oauth-error.ts";
import type { Check } from "./token-request.ts";

/** RFC 8707 §2.2: tokens are for no other resource than the one that was granted. */
export const grantIsForTheResource: Check<{ readonly grant: HeldGrant }> = ({ resource }, { grant }) => {
  if (grant.resource !== resource) throw new OauthError("invalid_target", "This was granted for another resource.");
};
