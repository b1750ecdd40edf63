import { findClient, type OauthClient, storeClient } from "@kb/auth";
import type { Service } from "@kb/core";
import { clientNetwork } from "@kb/http";
import type { Outgoing } from "@kb/outgoing";
import type { Limiter } from "@kb/runtime";
import { OauthError } from "../oauth-error.ts";
import { requireWithinLimit } from "../rate-limit.ts";
import { documentAddressProblem } from "./document-address.ts";
import { fetchDocument } from "./fetch-document.ts";

/** Dependencies of the look-up by metadata documents. */
export type DocumentOptions = {
  readonly service: Service;
  /** Fetches documents; reaches only public addresses. */
  readonly outgoing: Outgoing;
  readonly limiter: Limiter;
};

/** Documents that are fetched in a minute from one origin: nobody uses this service to scan or flood a host. */
const maxPerOrigin = 10;
/** Documents that one network may request in a minute. */
const maxPerNetwork = 30;
const minuteMs = 60_000;

/** Clients that are identified by their metadata documents. */
export type DocumentClients = {
  /** @throws {OauthError} `invalid_client` with the reason, `too_many_requests`. */
  find(clientId: string, address: string): Promise<OauthClient>;
};

/** Creates the look-up. Concurrent requests for one document share one fetch; errors are not cached. */
export function createDocumentClients(options: DocumentOptions): DocumentClients {
  const { service, limiter } = options;
  const { database, clock, appUrl } = service;
  const pending = new Map<string, Promise<OauthClient>>();

  const requireRate = (key: string, limit: number): Promise<void> => {
    const counted = { key: `oauth-document:${key}`, limit, windowMs: minuteMs };
    return requireWithinLimit(limiter, counted, "Too many app documents were requested. Try again in a minute.");
  };

  const fetchAndStore = async (clientId: string, used: boolean): Promise<OauthClient> => {
    // A document in use has its own limit: requests for other documents of its origin cannot block it.
    await requireRate(used ? clientId : new URL(clientId).origin, maxPerOrigin);
    return fetchClient(options, clientId);
  };

  return {
    async find(clientId, address) {
      requireDocumentAddress(clientId, appUrl);
      const stored = await findClient(database, clientId);
      if (stored?.freshUntil && stored.freshUntil > clock.now()) return stored.client;
      // Limited before a request becomes the one that others wait for.
      if (!pending.has(clientId)) await requireRate(clientNetwork(address), maxPerNetwork);
      const used = stored?.used === true;
      const fetching = pending.get(clientId) ?? fetchAndStore(clientId, used).finally(() => pending.delete(clientId));
      pending.set(clientId, fetching);
      return fetching;
    },
  };
}

async function fetchClient({ service, outgoing }: DocumentOptions, clientId: string): Promise<OauthClient> {
  const { metadata, freshForSeconds } = await fetchDocument(outgoing, clientId);
  const now = service.clock.now();
  const expiresAt = new Date(now.getTime() + freshForSeconds * 1000);
  const client: OauthClient = { ...metadata, id: clientId, kind: "document", secretHash: null };
  await storeClient(service.database, client, now, { expiresAt });
  return client;
}

/**
 * Members upload files to the host of this service; the consent page would name it as the origin of the app.
 * @throws {OauthError} `invalid_client`
 */
function requireDocumentAddress(clientId: string, appUrl: string): void {
  const problem =
    documentAddressProblem(clientId) ??
    (new URL(clientId).hostname === new URL(appUrl).hostname ? "it is on the host of this service" : undefined);
  if (problem === undefined) return;
  throw new OauthError("invalid_client", `The client_id is not the address of a metadata document: ${problem}.`);
}
