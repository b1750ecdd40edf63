import { createHash, randomBytes } from "node:crypto";
import { type Database, sql } from "@kb/db";
import { hashToken } from "../api-key.ts";
import type { ClientMetadata } from "./client.ts";
import { deleteUnusedClients, storeClient } from "./store-client.ts";

/** A client that was just registered. Its secret is in this answer and is stored nowhere. */
export type RegisteredClient = {
  readonly id: string;
  readonly secret: string | undefined;
  readonly registeredAt: Date;
  readonly metadata: ClientMetadata;
};

/** Unused clients that are kept of equal ones with secrets: several users may be connecting the same app. */
const maxEqualUnused = 10;

/** Time for the user of a new client to give consent; until then, equal registrations do not displace it. */
const connectingMs = 10 * 60_000;

/**
 * Registers a client (RFC 7591). Equal clients without a secret share one id, which is derived from their metadata, so a
 * client that registers on each start leaves one row. Each client with a secret gets its own id; of equal ones, the oldest
 * unused are deleted.
 */
export async function registerClient(
  database: Database,
  metadata: ClientMetadata,
  now: Date,
): Promise<RegisteredClient> {
  const family = familyOf(metadata);
  if (metadata.authentication === "none") {
    await storeClient(database, { ...metadata, id: family, kind: "dynamic", secretHash: null }, now);
    return { id: family, secret: undefined, registeredAt: now, metadata };
  }
  const id = `${family}.${randomBytes(12).toString("base64url")}`;
  const secret = randomBytes(32).toString("base64url");
  await storeClient(database, { ...metadata, id, kind: "dynamic", secretHash: hashToken(secret) }, now);
  await deleteUnusedClients(database, surplusOf(family, now));
  return { id, secret, registeredAt: now, metadata };
}

/** Derives the same id from equal metadata, in any order of the redirect URIs. It never looks like a document's address. */
function familyOf({ name, redirectUris, authentication, clientUri }: ClientMetadata): string {
  const content = JSON.stringify([name, [...redirectUris].sort(), authentication, clientUri]);
  return `app_${createHash("sha256").update(content).digest("base64url").slice(0, 32)}`;
}

const surplusOf = (family: string, now: Date) => sql`
  SELECT id FROM (SELECT id, "createdAt" FROM oauth_clients
    WHERE "lastUsedAt" IS NULL AND starts_with(id, ${`${family}.`})
    ORDER BY "createdAt" DESC, id OFFSET ${maxEqualUnused}) equal
  WHERE "createdAt" < ${new Date(now.getTime() - connectingMs)}`;
