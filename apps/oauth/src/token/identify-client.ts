import type { OauthClient } from "@kb/auth";
import { clientNetwork, type EdgeContext } from "@kb/http";
import type { Limiter } from "@kb/runtime";
import { authenticateClient } from "../clients/authenticate-client.ts";
import type { Clients } from "../clients/clients.ts";
import type { Parameters } from "../parameters.ts";
import { requireWithinLimit } from "../rate-limit.ts";

/** The dependencies of `identifyClient`, and the limit of requests per minute. */
export type ClientIdentification = {
  readonly clients: Clients;
  readonly limiter: Limiter;
  readonly perMinute: number;
};

const minuteMs = 60_000;

/**
 * RFC 6749 §3.2.1: authenticates the client of a request. Limits requests per client and network; unknown clients share
 * one bucket per network.
 * @throws {OauthError} `invalid_client`, `too_many_requests`
 */
export async function identifyClient(
  context: EdgeContext,
  parameters: Parameters,
  { clients, limiter, perMinute }: ClientIdentification,
): Promise<OauthClient> {
  const requireRate = (clientId: string): Promise<void> => {
    const key = `oauth-token:${clientId}:${clientNetwork(context.var.address)}`;
    const message = `At most ${perMinute} token requests per minute are accepted.`;
    return requireWithinLimit(limiter, { key, limit: perMinute, windowMs: minuteMs }, message);
  };
  const client = await authenticateClient(context, parameters, clients).catch(async (error: unknown) => {
    await requireRate("");
    throw error;
  });
  await requireRate(client.id);
  return client;
}
