import { type Database, type Sql, sql } from "@kb/db";
import type { OauthClient } from "./client.ts";

/**
 * At most this many clients that were never used are kept; beyond it the oldest are deleted before their 48 hours are over.
 * Registered clients and documents are counted separately, so that a flood of one kind does not displace the other.
 */
const maxUnused = 1_000;

/** Until when a fetched metadata document is fresh. */
export type DocumentLifetime = { readonly expiresAt: Date };

/** Creates a client or replaces its metadata, and restarts the period after which an unused client is deleted. */
export async function storeClient(
  database: Database,
  client: OauthClient,
  now: Date,
  document?: DocumentLifetime,
): Promise<void> {
  const { id, name, kind, secretHash, redirectUris, authentication, clientUri } = client;
  const metadata = { redirectUris: [...redirectUris], authentication, clientUri };
  const fetched = document === undefined ? {} : { fetchedAt: now, expiresAt: document.expiresAt };
  const row = { name, kind, secretHash, metadata, createdAt: now, ...fetched };
  await database.client.oauthClient.upsert({ where: { id }, create: { id, ...row }, update: row });
  await deleteUnusedClients(
    database,
    sql`SELECT id FROM oauth_clients WHERE "lastUsedAt" IS NULL AND kind = ${kind}
      ORDER BY "createdAt" DESC, id OFFSET ${maxUnused}`,
  );
}

/** Deletes surplus clients; skips one that is used at this moment, or that another transaction is deleting. */
export async function deleteUnusedClients(database: Database, surplus: Sql): Promise<void> {
  await database.execute(sql`DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients
    WHERE id IN (${surplus}) AND "lastUsedAt" IS NULL FOR UPDATE SKIP LOCKED)`);
}
