import { findClient, type OauthClient } from "@kb/auth";
import { looksLikeAddress } from "./document-address.ts";
import { createDocumentClients, type DocumentOptions } from "./document-clients.ts";

/** Looks up clients. */
export type Clients = {
  /**
   * Finds the client of an authorization request: a registered one, or the one whose id is the address of its metadata
   * document, fetched again when it is stale. Null for an unknown client. `address` is the network address that the request
   * comes from.
   * @throws {OauthError} `invalid_client` with the reason for which a document cannot be used.
   */
  find(clientId: string, address: string): Promise<OauthClient | null>;
  /** Finds the client of a later request as it was when a user connected it; fetches nothing. */
  findStored(clientId: string): Promise<OauthClient | null>;
};

/** Creates the look-up of clients in the database and by their documents. */
export function createClients(options: DocumentOptions): Clients {
  const documents = createDocumentClients(options);
  const findStored = async (clientId: string): Promise<OauthClient | null> => {
    const stored = await findClient(options.service.database, clientId);
    return stored?.client ?? null;
  };
  return {
    findStored,
    find: (clientId, address) =>
      looksLikeAddress(clientId) ? documents.find(clientId, address) : findStored(clientId),
  };
}
