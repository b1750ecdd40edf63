import type { Database } from "@kb/db";
import { z } from "zod";
import type { OauthClient } from "./client.ts";

/** The column `metadata`: `ClientMetadata` without the name, which has its own column. */
const StoredMetadata = z.object({
  redirectUris: z.array(z.string()),
  authentication: z.enum(["none", "client_secret_basic", "client_secret_post"]),
  clientUri: z.string().nullable(),
});

/** A client as it is stored. */
export type StoredClient = {
  readonly client: OauthClient;
  /** When its metadata document must be fetched again; null for a registered client. */
  readonly freshUntil: Date | null;
  /** Whether any user has ever allowed it. */
  readonly used: boolean;
};

/** Finds a client by its id. */
export async function findClient(database: Database, id: string): Promise<StoredClient | null> {
  const row = await database.client.oauthClient.findUnique({ where: { id } });
  if (row === null) return null;
  const { name, kind, secretHash, expiresAt, lastUsedAt } = row;
  const metadata = StoredMetadata.parse(row.metadata);
  return {
    client: { ...metadata, id, name, kind: kind === "document" ? "document" : "dynamic", secretHash },
    freshUntil: expiresAt,
    used: lastUsedAt !== null,
  };
}
