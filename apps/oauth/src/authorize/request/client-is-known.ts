import type { Client } from "../../clients/client.ts";
import type { Clients } from "../../clients/find-client.ts";
import { OauthError } from "../../oauth-error.ts";
import type { Parameters } from "../../parameters/read-parameters.ts";

/**
 * OAuth 2.1 §4.1.1: `client_id` is required, once. `address` is where the request comes from.
 * @throws {OauthError} for the user: nobody else is known yet.
 */
export async function clientIsKnown(parameters: Parameters, clients: Clients, address: string): Promise<Client> {
  const clientId = parameters.get("client_id");
  if (clientId === undefined) throw new OauthError("invalid_request", "client_id is missing, or there twice.");
  const client = await clients.find(clientId, address);
  if (client !== null) return client;
  throw new OauthError("invalid_client", "No app is registered here under this client_id, or no longer.");
}
