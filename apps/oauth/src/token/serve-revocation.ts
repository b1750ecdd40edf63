import { type OauthKeys, revokeOauthToken } from "@kb/auth";
import type { Service } from "@kb/core";
import type { Edge } from "@kb/http";
import type { Hono } from "hono";
import { serveEndpoint } from "../endpoint.ts";
import { forbidCaching } from "../oauth-error.ts";
import { readFormParameters } from "../parameters.ts";
import { grantEnder } from "./grant-ender.ts";
import { type ClientIdentification, identifyClient } from "./identify-client.ts";
import { requireParameter } from "./token-request.ts";

/** Dependencies of the revocation endpoint. */
export type RevocationOptions = ClientIdentification & { readonly service: Service; readonly keys: OauthKeys };

/**
 * Serves `POST /oauth/revoke` (RFC 7009): revokes a token of the client. The answer is 200 for every token, also for an
 * unknown one, one of another client and one that has ended. `token_type_hint` is not needed: the prefix names the kind.
 */
export function serveRevocation(app: Hono<Edge>, options: RevocationOptions): void {
  const { service, keys } = options;
  serveEndpoint(app, "POST", "/oauth/revoke", async (context) => {
    const parameters = await readFormParameters(context);
    const client = await identifyClient(context, parameters, options);
    const token = requireParameter(parameters, "token");
    const endGrant = grantEnder(context, service.clock.now());
    await revokeOauthToken(service.database, token, client.id, { keys, endGrant });
    forbidCaching(context);
    return context.body(null, 200);
  });
}
