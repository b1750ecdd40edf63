import { type Actor, readableCollections, readableDocuments } from "@kb/auth";
import { type Reader, sql, type Tx } from "@kb/db";
import { z } from "zod";
import { requireReadable } from "../collections/readable.ts";
import { notFound } from "../errors.ts";
import { Id } from "../schema/text.ts";
import type { KeyRestrictions } from "./api-key.ts";

const Level = z.enum(["none", "read", "write"]);
type Level = z.output<typeof Level>;

/** The maximum number of collections, and of documents, in the restrictions of a key. */
const maxEntries = 1000;

const Entries = z
  .record(z.string(), Level)
  .refine((entries) => Object.keys(entries).length <= maxEntries, `At most ${maxEntries}`)
  .transform((entries, context): Record<string, Level> => {
    const read: Record<string, Level> = {};
    for (const [given, level] of Object.entries(entries)) {
      const id = Id.safeParse(given);
      if (id.success) read[id.data] = level;
      else context.addIssue({ code: "custom", path: [given], message: "Must be a UUID", input: given });
    }
    return read;
  });

/** The restrictions of a key: `{collections: {id: level}, documents: {id: level}}`. */
export const Restrictions = z.strictObject({ collections: Entries.default({}), documents: Entries.default({}) });

type Entered = z.output<typeof Restrictions>;

/**
 * Sets the restrictions of a key; null removes them. Restrictions only narrow the owner's access: a level beyond it has
 * no effect.
 * @throws {ServiceError} `not_found` for a collection or document that the owner may not see.
 */
export async function writeRestrictions(
  tx: Tx,
  owner: Actor,
  apiKeyId: string,
  entered: Entered | null,
): Promise<void> {
  const key = { teamId: owner.teamId, apiKeyId };
  await tx.apiKeyCollection.deleteMany({ where: key });
  await tx.apiKeyDocument.deleteMany({ where: key });
  if (entered === null) return;
  const { collections, documents } = entered;
  await requireVisible(tx, owner, Object.keys(collections), Object.keys(documents));
  await tx.apiKeyCollection.createMany({
    data: Object.entries(collections).map(([collectionId, level]) => ({ ...key, collectionId, level })),
  });
  await tx.apiKeyDocument.createMany({
    data: Object.entries(documents).map(([documentId, level]) => ({ ...key, documentId, level })),
  });
}

async function requireVisible(
  tx: Tx,
  owner: Actor,
  collections: readonly string[],
  documents: readonly string[],
): Promise<void> {
  // Locks the rows, so that none is destroyed before the key names it.
  await requireReadable(tx, owner, collections);
  const read = await tx.rows(sql`SELECT 1 FROM documents d WHERE ${readableDocuments(owner)} AND d."deletedAt" IS NULL
    AND d.id = ANY(${documents}::uuid[]) ORDER BY d.id FOR KEY SHARE OF d`);
  if (read.length < documents.length) throw notFound("Document");
}

/**
 * Reads the restrictions of a key, as far as the caller may see the collections and documents; null for a key that is
 * not restricted.
 */
export async function readRestrictions(
  reader: Reader,
  actor: Actor,
  key: { readonly id: string; readonly restricted: boolean },
): Promise<z.input<typeof KeyRestrictions>> {
  if (!key.restricted) return null;
  const [row] = await reader.rows<{ collections: Record<string, Level>; documents: Record<string, Level> }>(sql`
    SELECT
      (SELECT COALESCE(jsonb_object_agg(k."collectionId", k.level), '{}') FROM api_key_collections k
        JOIN collections c ON c."teamId" = k."teamId" AND c.id = k."collectionId"
        WHERE k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${key.id}::uuid AND ${readableCollections(actor)})
        AS collections,
      (SELECT COALESCE(jsonb_object_agg(k."documentId", k.level), '{}') FROM api_key_documents k
        JOIN documents d ON d."teamId" = k."teamId" AND d.id = k."documentId"
        WHERE k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${key.id}::uuid AND d."deletedAt" IS NULL
          AND ${readableDocuments(actor)}) AS documents`);
  return row ?? { collections: {}, documents: {} };
}
