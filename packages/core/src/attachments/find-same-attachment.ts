import { type Actor, readableDocuments } from "@kb/auth";
import { sql } from "@kb/db";
import type { Service } from "../context.ts";
import { fileUrl } from "./attachment.ts";
import { requireFiles } from "./files.ts";

type Row = { publicId: string; storageKey: string };

/**
 * Finds an attachment with this name and these bytes, of a document in a collection that the caller may read. Returns its address, or
 * null: that of a hidden document would tell that it exists.
 */
export async function findSameAttachment(
  service: Service,
  actor: Actor,
  collectionId: string,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<string | null> {
  const rows = await service.database.rows<Row>(sql`
    SELECT a."publicId", a."storageKey" FROM attachments a
    JOIN documents d ON d."teamId" = a."teamId" AND d.id = a."documentId"
    WHERE a."teamId" = ${actor.teamId}::uuid AND d."collectionId" = ${collectionId}::uuid AND ${readableDocuments(actor)}
      AND d."deletedAt" IS NULL AND a.status = 'ready'
      AND a."storageKey" IS NOT NULL AND a.name = ${name} AND a.size = ${bytes.byteLength} ORDER BY a.id LIMIT 20`);
  const { store } = requireFiles(service);
  for (const { publicId, storageKey } of rows) {
    if (await isSame(await store.get(storageKey), bytes)) return fileUrl(service.appUrl, publicId, name);
  }
  return null;
}

async function isSame(stored: AsyncIterable<Uint8Array> | null, bytes: Uint8Array): Promise<boolean> {
  let offset = 0;
  for await (const chunk of stored ?? []) {
    if (Buffer.compare(chunk, bytes.subarray(offset, offset + chunk.byteLength)) !== 0) return false;
    offset += chunk.byteLength;
  }
  return offset === bytes.byteLength;
}
