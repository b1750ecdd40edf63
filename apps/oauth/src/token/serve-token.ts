import type { IssuedTokens } from "@kb/auth";
import type { Service } from "@kb/core";
import type { Edge, EdgeContext } from "@kb/http";
import type { Hono } from "hono";
import { serveEndpoint } from "../endpoint.ts";
import { forbidCaching } from "../oauth-error.ts";
import { readFormParameters } from "../parameters.ts";
import { requireResource } from "../resource.ts";
import { scopeText } from "../scopes.ts";
import type { OauthSettings } from "../settings.ts";
import { issueForCode } from "./code.ts";
import { grantEnder } from "./grant-ender.ts";
import { type ClientIdentification, identifyClient } from "./identify-client.ts";
import { issueForRefreshToken } from "./refresh.ts";
import { type GrantType, requireGrantType, type TokenIssuing, type TokenRequest } from "./token-request.ts";

/** Dependencies of the token endpoint. */
export type TokenOptions = ClientIdentification & {
  readonly service: Service;
  readonly settings: Pick<OauthSettings, "keys" | "lifetimes">;
};

type IssueTokens = (service: Service, request: TokenRequest, issuing: TokenIssuing) => Promise<IssuedTokens>;

const issuers: Readonly<Record<GrantType, IssueTokens>> = {
  authorization_code: issueForCode,
  refresh_token: issueForRefreshToken,
};

/** Serves `POST /oauth/token` (OAuth 2.1 §3.2): exchanges a code or a refresh token for new tokens. */
export function serveToken(app: Hono<Edge>, options: TokenOptions): void {
  const { service, settings } = options;
  const { keys, lifetimes } = settings;
  serveEndpoint(app, "POST", "/oauth/token", async (context) => {
    const parameters = await readFormParameters(context);
    const client = await identifyClient(context, parameters, options);
    const issueTokens = issuers[requireGrantType(parameters)];
    const resource = requireResource(service.appUrl, parameters);
    const now = service.clock.now();
    const issuing = { keys, lifetimes, now, endGrant: grantEnder(context, now) };
    return answerTokens(context, await issueTokens(service, { client, parameters, resource }, issuing));
  });
}

/** RFC 6749 §5.1. */
function answerTokens(context: EdgeContext, tokens: IssuedTokens): Response {
  forbidCaching(context);
  return context.json({
    access_token: tokens.accessToken,
    token_type: "Bearer",
    expires_in: tokens.expiresInSeconds,
    refresh_token: tokens.refreshToken,
    scope: scopeText(tokens.scopes),
  });
}
