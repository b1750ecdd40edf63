import type { Actor } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import { requireCollection } from "../collections/row.ts";
import type { WriteContext } from "../context.ts";
import { invalid, ServiceError } from "../errors.ts";
import { requireAccess } from "./access.ts";
import { findDocument } from "./row.ts";

/**
 * Requires a collection that is active and in which the caller may write. Locks its row, so that a concurrent archive
 * does not miss the new document.
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

/**
 * Requires that a collection is not archived: nothing may be restored into an archived one.
 * @throws {ServiceError} `conflict`
 */
export async function requireActiveCollection({ tx, actor }: WriteContext, collectionId: string): Promise<void> {
  const [collection] = await tx.rows<{ archivedAt: Date | null }>(sql`SELECT c."archivedAt" FROM collections c
    WHERE c."teamId" = ${actor.teamId}::uuid AND c.id = ${collectionId}::uuid`);
  if (collection?.archivedAt != null) throw archivedCollection();
}

function archivedCollection(): ServiceError {
  return new ServiceError("conflict", "The collection is archived. Unarchive it first.");
}

/**
 * Requires that a document may be a parent: readable, active, and in the same collection.
 * @throws {ServiceError} `not_found` when it is hidden; `validation_error` when it is in another collection, or
 * `conflict` when it has just been moved there; `conflict` when it is archived and not the current parent.
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
    throw await wrongCollectionError(tx, actor, parentId, collectionId);
  }
  // A document below an archived one would be active but appear in no tree.
  if (parent.archivedAt !== null && parentId !== current) {
    throw new ServiceError("conflict", "The parent is archived. Unarchive it first.");
  }
}

/** A request within this time after a move may not have seen the move. */
const justMovedMs = 60 * 60 * 1000;

/**
 * Returns the error for a parent in another collection. A move leaves a tombstone in its old place, which tells whether
 * the request was correct before the move.
 */
async function wrongCollectionError(
  tx: Tx,
  { teamId }: Actor,
  parentId: string,
  collectionId: string | null,
): Promise<ServiceError> {
  const [left] = await tx.rows(sql`SELECT 1 FROM tombstones s
    WHERE s."teamId" = ${teamId}::uuid AND s."documentId" = ${parentId}::uuid AND s."collectionId" = ${collectionId}::uuid
      AND s.at > (SELECT k.at FROM team_clocks k WHERE k."teamId" = ${teamId}::uuid) - ${justMovedMs} * interval '1 ms' LIMIT 1`);
  const path = "parentDocumentId";
  if (left === undefined) return invalid(path, "The parent is in another collection: give that collection, too");
  const message = "The parent has been moved to another collection";
  return new ServiceError("conflict", `${message}. Read it again.`, { details: [{ path, message }] });
}
