import type { Actor } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import { requireCollection } from "../collections/row.ts";
import { invalid, ServiceError } from "../errors.ts";
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
 * @throws {ServiceError} `not_found` when it is hidden; `validation_error` when it is in another collection, or `conflict`
 * when it has just been moved there; `conflict` when it is archived, and not the parent already (`current`).
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
    throw await misplaced(tx, actor, parentId, collectionId);
  }
  // What stands below an archived document would be active, and found in no tree.
  if (parent.archivedAt !== null && parentId !== current) {
    throw new ServiceError("conflict", "The parent is archived: unarchive it first.");
  }
}

/** Who asks within this time after a move has not seen it. */
const justMovedMs = 60 * 60 * 1000;

/** The request was right until the parent was moved, or it never was. A move leaves a tombstone in the place that it left. */
async function misplaced(
  tx: Tx,
  { teamId }: Actor,
  parentId: string,
  collectionId: string | null,
): Promise<ServiceError> {
  const [left] = await tx.rows(sql`SELECT 1 FROM tombstones s
    WHERE s."teamId" = ${teamId}::uuid AND s."documentId" = ${parentId}::uuid AND s."collectionId" = ${collectionId}::uuid
      AND s.at > (SELECT k.at FROM team_clocks k WHERE k."teamId" = ${teamId}::uuid) - ${justMovedMs} * interval '1 ms' LIMIT 1`);
  const path = "parentDocumentId";
  if (left === undefined) return invalid(path, "The parent is in another collection");
  const message = "The parent has been moved to another collection";
  return new ServiceError("conflict", `${message}: read it again.`, { details: [{ path, message }] });
}
