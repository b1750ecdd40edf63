import type { Service } from "@kb/core";
import { type Database, type Sql, sql } from "@kb/db";
import type { ClientMetadata } from "./client.ts";

/**
 * So many clients that were never used are kept; beyond them the oldest go before their 48 hours are over. Registrations
 * and documents each for themselves: a flood of the ones leaves the others alone.
 */
const maxUnused = 1_000;

/** What is stored beside what a client says of itself. */
export type StoredBeside = {
  readonly kind: "dynamic" | "document";
  readonly secretHash: Uint8Array<ArrayBuffer> | null;
  /** Of a document. */
  readonly fetchedAt?: Date;
  readonly expiresAt?: Date;
};

/** Stores a client, or what is known now of one that is there: the time after which unused ones go begins anew. */
export async function storeMetadata(
  { database, clock }: Service,
  id: string,
  { name, ...metadata }: ClientMetadata,
  beside: StoredBeside,
): Promise<void> {
  const stored = { ...metadata, redirectUris: [...metadata.redirectUris] };
  const row = { name, metadata: stored, createdAt: clock.now(), ...beside };
  await database.client.oauthClient.upsert({ where: { id }, create: { id, ...row }, update: row });
  await forgetUnused(
    database,
    sql`SELECT id FROM oauth_clients WHERE "lastUsedAt" IS NULL AND kind = ${beside.kind}
      ORDER BY "createdAt" DESC, id OFFSET ${maxUnused}`,
  );
}

/** Deletes clients of which there are too many; not one that somebody uses meanwhile, nor one that another deletes. */
export async function forgetUnused(database: Database, surplus: Sql): Promise<void> {
  await database.execute(sql`DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients
    WHERE id IN (${surplus}) AND "lastUsedAt" IS NULL FOR UPDATE SKIP LOCKED)`);
}
