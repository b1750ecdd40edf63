import { type EndGrant, type HeldCode, type IssuedTokens, type Issuing, redeemCode } from "@kb/auth";
import type { Service } from "@kb/core";
import { OauthError } from "../../oauth-error.ts";
import { grantIsForTheResource } from "../grant-is-for-the-resource.ts";
import { grantIsTheClients } from "../grant-is-the-clients.ts";
import { requireParameter } from "../parameter-is-sent.ts";
import { type Check, requireAll, type TokenRequest } from "../token-request.ts";
import { redirectUriIsTheSame } from "./redirect-uri-is-the-same.ts";
import { verifierIsWellFormed } from "./verifier-is-well-formed.ts";
import { verifierMatches } from "./verifier-matches.ts";

/** What a request has to meet before a code is used up, in this order. */
const checks: readonly Check<HeldCode>[] = [
  grantIsTheClients,
  redirectUriIsTheSame,
  verifierIsWellFormed,
  verifierMatches,
  grantIsForTheResource,
];

/** `authorization_code`: the grant's first tokens. @throws {OauthError} */
export async function redeem(
  { database }: Service,
  request: TokenRequest,
  issuing: Issuing & { readonly endGrant: EndGrant },
): Promise<IssuedTokens> {
  const code = requireParameter(request.parameters, "code");
  requireParameter(request.parameters, "code_verifier");
  const redemption = await redeemCode(database, code, {
    ...issuing,
    check: (held) => requireAll(checks, request, held),
  });
  if (redemption.kind === "issued") return redemption.tokens;
  throw new OauthError("invalid_grant", "The code is unknown, was redeemed before, or ran out. Ask for another.");
}
