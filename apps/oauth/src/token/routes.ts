import type { EndGrant, IssuedTokens, Issuing } from "@kb/auth";
import type { Service } from "@kb/core";
import type { Edge, EdgeContext } from "@kb/http";
import type { Hono } from "hono";
import { serveEndpoint } from "../endpoint.ts";
import { readFormParameters } from "../parameters/read-parameters.ts";
import { requireResource } from "../resource.ts";
import { scopeText } from "../scopes.ts";
import type { OauthSettings } from "../settings.ts";
import { redeem } from "./code/redeem.ts";
import { endingsOf } from "./endings.ts";
import { type GrantType, requireGrantType } from "./grant-type-is-supported.ts";
import { type KnownClients, knownClient } from "./known-client.ts";
import { rotate } from "./refresh/rotate.ts";
import type { TokenRequest } from "./token-request.ts";

/** What the endpoints of tokens stand on. */
export type TokenOptions = KnownClients & {
  readonly service: Service;
  readonly settings: Pick<OauthSettings, "keys" | "lifetimes">;
};

type Way = (
  service: Service,
  request: TokenRequest,
  issuing: Issuing & { readonly endGrant: EndGrant },
) => Promise<IssuedTokens>;

const ways: Readonly<Record<GrantType, Way>> = { authorization_code: redeem, refresh_token: rotate };

/** `POST /oauth/token`: a code or a refresh token for an access token and the next refresh token (OAuth 2.1 §3.2). */
export function serveToken(app: Hono<Edge>, options: TokenOptions): void {
  serveEndpoint(app, "POST", "/oauth/token", async (context) => {
    const parameters = await readFormParameters(context);
    const client = await knownClient(context, parameters, options);
    const way = ways[requireGrantType(parameters)];
    const resource = requireResource(options.service.appUrl, parameters);
    return answerTokens(context, await issue(context, options, way, { client, parameters, resource }));
  });
}

function issue(
  context: EdgeContext,
  { service, settings }: TokenOptions,
  way: Way,
  request: TokenRequest,
): Promise<IssuedTokens> {
  const now = service.clock.now();
  const { keys, lifetimes } = settings;
  return way(service, request, { keys, lifetimes, now, endGrant: endingsOf(context, now) });
}

/** RFC 6749 §5.1. */
function answerTokens(context: EdgeContext, tokens: IssuedTokens): Response {
  context.header("Cache-Control", "no-store");
  context.header("Pragma", "no-cache");
  return context.json({
    access_token: tokens.accessToken,
    token_type: "Bearer",
    expires_in: tokens.expiresInSeconds,
    refresh_token: tokens.refreshToken,
    scope: scopeText(tokens.scopes),
  });
}
