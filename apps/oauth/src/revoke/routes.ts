import { type OauthKeys, revokeOauthToken } from "@kb/auth";
import type { Service } from "@kb/core";
import type { Edge } from "@kb/http";
import type { Hono } from "hono";
import { serveEndpoint } from "../endpoint.ts";
import { readFormParameters } from "../parameters/read-parameters.ts";
import { endingsOf } from "../token/endings.ts";
import { type KnownClients, knownClient } from "../token/known-client.ts";
import { requireParameter } from "../token/parameter-is-sent.ts";

/** What revocations stand on. */
export type RevocationOptions = KnownClients & { readonly service: Service; readonly keys: OauthKeys };

/**
 * `POST /oauth/revoke` (RFC 7009): a client gives a token back. The answer is 200 whatever the token was: unknown, another
 * client's, or ended before; `token_type_hint` is not needed, since the token tells its kind.
 */
export function serveRevocation(app: Hono<Edge>, options: RevocationOptions): void {
  serveEndpoint(app, "POST", "/oauth/revoke", async (context) => {
    const { service, keys } = options;
    const parameters = await readFormParameters(context);
    const client = await knownClient(context, parameters, options);
    const token = requireParameter(parameters, "token");
    const endGrant = endingsOf(context, service.clock.now());
    await revokeOauthToken(service.database, token, client.id, { keys, endGrant });
    context.header("Cache-Control", "no-store");
    context.header("Pragma", "no-cache");
    return context.body(null, 200);
  });
}
