import type { Client } from "./client.ts";
import { looksLikeAddress } from "./document-address.ts";
import { type DocumentOptions, documentClients } from "./document-clients.ts";
import { storedClient } from "./stored-client.ts";

/** The clients of the service. */
export type Clients = {
  /**
   * The client of an authorization request: a registered one, or the one whose metadata document is at the address that
   * is its id, as that document is now (it is kept for as long as it says, a minute to a day). Null for an unknown one.
   * `address` is where the request comes from.
   * @throws {OauthError} `invalid_client` that says what is wrong with a document, or why it cannot be had.
   */
  find(clientId: string, address: string): Promise<Client | null>;
  /** The client of a later request, as it was when somebody connected it: nothing is fetched for it. */
  known(clientId: string): Promise<Client | null>;
};

/** Finds clients in the database, and by their documents. */
export function createClients(options: DocumentOptions): Clients {
  const documents = documentClients(options);
  const known = async (clientId: string): Promise<Client | null> =>
    (await storedClient(options.service.database, clientId))?.client ?? null;
  return {
    known,
    find: (clientId, address) => (looksLikeAddress(clientId) ? documents.find(clientId, address) : known(clientId)),
  };
}
