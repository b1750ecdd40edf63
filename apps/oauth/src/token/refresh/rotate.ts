import { type EndGrant, type HeldGrant, type IssuedTokens, type Issuing, rotateRefreshToken } from "@kb/auth";
import type { Service } from "@kb/core";
import { OauthError } from "../../oauth-error.ts";
import { grantIsForTheResource } from "../grant-is-for-the-resource.ts";
import { grantIsTheClients } from "../grant-is-the-clients.ts";
import { requireParameter } from "../parameter-is-sent.ts";
import { type Check, requireAll, type TokenRequest } from "../token-request.ts";
import { requireNoWiderScope } from "./scope-does-not-widen.ts";

/** What a request has to meet before a refresh token is used, in this order; then its scope. */
const checks: readonly Check<{ readonly grant: HeldGrant }>[] = [grantIsTheClients, grantIsForTheResource];

/** `refresh_token`: its successor, and a new access token. @throws {OauthError} */
export async function rotate(
  { database }: Service,
  request: TokenRequest,
  issuing: Issuing & { readonly endGrant: EndGrant },
): Promise<IssuedTokens> {
  const token = requireParameter(request.parameters, "refresh_token");
  const refreshed = await rotateRefreshToken(database, token, {
    ...issuing,
    check: (grant) => {
      requireAll(checks, request, { grant });
      return requireNoWiderScope(request, grant);
    },
  });
  if (refreshed.kind === "issued") return refreshed.tokens;
  throw new OauthError("invalid_grant", "The refresh token is unknown, revoked, was used before, or ran out.");
}
