import type { Service } from "@kb/core";
import { clientNetwork, type Limiter } from "@kb/http";
import type { Outgoing } from "@kb/outgoing";
import { OauthError } from "../oauth-error.ts";
import type { Client } from "./client.ts";
import { documentAddressProblem } from "./document-address.ts";
import { type FetchedDocument, fetchDocument } from "./fetch-document.ts";
import { storeMetadata } from "./store-client.ts";
import { storedClient } from "./stored-client.ts";

/** What documents are found and kept with. */
export type DocumentOptions = {
  readonly service: Service;
  /** Fetches them; it reaches public addresses alone. */
  readonly outgoing: Outgoing;
  readonly limiter: Limiter;
};

/** Documents that are fetched within a minute: of one origin, and for one client of ours, that nobody scans through us. */
const perOrigin = 10;
const perAddress = 30;

/** The clients that are known by their documents. */
export type DocumentClients = {
  /** @throws {OauthError} `invalid_client` that says what is wrong; `too_many_requests`. */
  find(clientId: string, address: string): Promise<Client>;
};

/** Finds them; several who ask for one at once wait for the same answer, and errors are not kept. */
export function documentClients(options: DocumentOptions): DocumentClients {
  const { service, outgoing, limiter } = options;
  const { database, clock } = service;
  const running = new Map<string, Promise<Client>>();

  const requireRoom = async (key: string, limit: number): Promise<void> => {
    const { allowed, resetMs } = await limiter.take({ key: `oauth-document:${key}`, limit, windowMs: 60_000 });
    if (allowed) return;
    throw new OauthError("too_many_requests", "Metadata of apps is asked for too often. Try again in a minute.", {
      status: 429,
      headers: { "Retry-After": String(Math.max(1, Math.ceil(resetMs / 1000))) },
    });
  };

  const fetched = async (clientId: string, used: boolean): Promise<Client> => {
    // Strangers who ask for other documents of an origin shut out none that people have let in.
    await requireRoom(used ? clientId : new URL(clientId).origin, perOrigin);
    return keep(clientId, await fetchDocument(outgoing, clientId));
  };

  const keep = async (clientId: string, { metadata, keepForSeconds }: FetchedDocument): Promise<Client> => {
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + keepForSeconds * 1000);
    const document = { kind: "document" as const, secretHash: null, fetchedAt: now, expiresAt };
    await storeMetadata(service, clientId, metadata, document);
    return { ...metadata, id: clientId, kind: "document", secretHash: null };
  };

  return {
    async find(clientId, address) {
      requireDocumentAddress(clientId, service.appUrl);
      const stored = await storedClient(database, clientId);
      if (stored?.freshUntil && stored.freshUntil > clock.now()) return stored.client;
      // Who comes too often is refused before others can wait for the same answer.
      if (!running.has(clientId)) await requireRoom(clientNetwork(address), perAddress);
      const used = stored?.used === true;
      const asked = running.get(clientId) ?? fetched(clientId, used).finally(() => running.delete(clientId));
      running.set(clientId, asked);
      return asked;
    },
  };
}

/** Our own host is no app's: members upload files here, and the page that asks would name us as whom to trust. */
function requireDocumentAddress(clientId: string, appUrl: string): void {
  const problem =
    documentAddressProblem(clientId) ??
    (new URL(clientId).hostname === new URL(appUrl).hostname ? "it is on the host of this service" : undefined);
  if (problem === undefined) return;
  throw new OauthError("invalid_client", `The client_id is no address of a metadata document: ${problem}.`);
}
