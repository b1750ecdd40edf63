import { createHash, timingSafeEqual } from "node:crypto";
import type { HeldCode } from "@kb/auth";
import { OauthError } from "../../oauth-error.ts";
import type { Check } from "../token-request.ts";

/** RFC 7636 §4.6, S256 alone: BASE64URL(SHA256(ASCII(code_verifier))) == code_challenge. */
export const verifierMatches: Check<HeldCode> = ({ parameters }, { codeChallenge }) => {
  const computed = createHash("sha256")
    .update(parameters.get("code_verifier") ?? "")
    .digest("base64url");
  const [one, other] = [Buffer.from(computed), Buffer.from(codeChallenge)];
  if (one.length === other.length && timingSafeEqual(one, other)) return;
  throw new OauthError("invalid_grant", "The parameter code_verifier does not match the code_challenge.");
};
