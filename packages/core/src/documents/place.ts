import type { Actor } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import { requireCollection } from "../collections/row.ts";
import { ServiceError } from "../errors.ts";
import type { WriteContext } from "../operation.ts";
import { requireAccess } from "./access.ts";
import { findDocument } from "./row.ts";

/**
 * A collection that takes documents: the caller may write there, and it is not archived. Its row is locked against an
 * archive that would miss the document which is about to come.
 */
export async function requireDestination(
  tx: Tx,
  actor: Actor,
  id: string,
  action: "createDocument" | "publishHere" = "createDocument",
): Promise<void> {
  const collection = await requireCollection(tx, actor, action, id, sql`FOR SHARE OF c`);
  if (collection.archivedAt !== null) throw archivedCollection();
}

/** Nothing comes back into an archived collection, whoever asks. @throws {ServiceError} `conflict` */
export async function requireActive({ tx, actor }: WriteContext, collectionId: string): Promise<void> {
  const [collection] = await tx.rows<{ archivedAt: Date | null }>(sql`SELECT c."archivedAt" FROM collections c
    WHERE c."teamId" = ${actor.teamId}::uuid AND c.id = ${collectionId}::uuid`);
  if (collection?.archivedAt != null) throw archivedCollection();
}

function archivedCollection(): ServiceError {
  return new ServiceError("conflict", "The collection is archived: unarchive it first.");
}

/**
 * Checks a document as a parent: readable, neither in the trash nor archived, and in the same collection.
 * @throws {ServiceError} `not_found` when it is hidden; `conflict` when it is in another collection, into which it may have
 * been moved a moment ago, or archived and not the parent already (`current`).
 */
export async function requireParent(
  tx: Tx,
  actor: Actor,
  parentId: string,
  collectionId: string | null,
  current: string | null = null,
): Promise<void> {
  const parent = requireAccess(actor, "read", await findDocument(tx, actor, parentId));
  if (parent.collectionId !== collectionId) {
    const message = "The parent is in another collection";
    throw new ServiceError("conflict", `${message}.`, { details: [{ path: "parentDocumentId", message }] });
  }
  // What stands below an archived document would be active, and found in no tree.
  if (parent.archivedAt !== null && parentId !== current) {
    throw new ServiceError("conflict", "The parent is archived: unarchive it first.");
  }
}
