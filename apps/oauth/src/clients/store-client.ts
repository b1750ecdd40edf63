import type { Service } from "@kb/core";
import { sql } from "@kb/db";
import type { ClientMetadata } from "./client.ts";

/** So many clients that were never used are kept; beyond them the oldest go before their 48 hours are over. */
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
  await database.execute(sql`DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients
    WHERE "lastUsedAt" IS NULL ORDER BY "createdAt" DESC OFFSET ${maxUnused})`);
}
