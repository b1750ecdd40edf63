import type { Database } from "@kb/db";
import { z } from "zod";
import type { Client } from "./client.ts";

/** What the column `metadata` holds: `ClientMetadata` without the name, which has a column of its own. */
const StoredMetadata = z.object({
  redirectUris: z.array(z.string()),
  authentication: z.enum(["none", "client_secret_basic", "client_secret_post"]),
  clientUri: z.string().nullable(),
});

/** A client as the database has it; `freshUntil` is when a document has to be fetched again, `used` whether anybody ever let it in. */
export type StoredClient = { readonly client: Client; readonly freshUntil: Date | null; readonly used: boolean };

/** The client of that id, or null. */
export async function storedClient(database: Database, id: string): Promise<StoredClient | null> {
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
