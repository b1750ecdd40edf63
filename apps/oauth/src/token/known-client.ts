import type { EdgeContext, Limiter } from "@kb/http";
import { authenticateClient } from "../clients/authenticate-client.ts";
import type { Client } from "../clients/client.ts";
import type { Clients } from "../clients/find-client.ts";
import type { Parameters } from "../parameters/read-parameters.ts";
import { requireRate } from "./requests-are-limited.ts";

/** How clients are known, and how often each may come. */
export type KnownClients = { readonly clients: Clients; readonly limiter: Limiter; readonly perMinute: number };

/**
 * RFC 6749 §3.2.1: the client that makes the request, which has shown who it is and does not come too often.
 * @throws {OauthError} `invalid_client`, `too_many_requests`
 */
export async function knownClient(context: EdgeContext, parameters: Parameters, known: KnownClients): Promise<Client> {
  const client = await authenticateClient(context, parameters, known.clients).catch(async (error: unknown) => {
    await requireRate(context, known, null);
    throw error;
  });
  await requireRate(context, known, client.id);
  return client;
}
