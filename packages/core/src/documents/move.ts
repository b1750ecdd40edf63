import { sql, type Tx } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { lockDocuments } from "./lock.ts";
import { among, type Descendant, descendants, saveBatch } from "./subtree.ts";

/**
 * Requires that the new parent is not below the document. The caller holds the tree's lock. `LIMIT`: see `ancestorsOf`.
 * @throws {ServiceError} `conflict`
 */
export async function requireNoCycle(tx: Tx, teamId: string, id: string, parentId: string): Promise<void> {
  const above = await tx.rows<{ id: string }>(sql`
    WITH RECURSIVE above AS (
      SELECT d.id, d."parentDocumentId" FROM documents d WHERE d."teamId" = ${teamId}::uuid AND d.id = ${parentId}::uuid
      UNION
      SELECT d.id, d."parentDocumentId" FROM above a CROSS JOIN LATERAL (
        SELECT d.id, d."parentDocumentId" FROM documents d
        WHERE d."teamId" = ${teamId}::uuid AND d.id = a."parentDocumentId" LIMIT 1) d
    ) SELECT id FROM above WHERE id = ${id}::uuid`);
  if (above.length > 0) throw cycleError();
}

/** Returns the error for a document that would be below itself. */
export function cycleError(): ServiceError {
  return new ServiceError("conflict", "A document cannot be placed below itself.", {
    details: [{ path: "parentDocumentId", message: "Is the document itself or below it" }],
  });
}

/**
 * Moves the descendants of a document to its new collection. Documents that the caller may not edit stay in the old
 * collection and move up to the place of the moved document.
 */
export async function moveSubtree(
  context: WriteContext,
  below: readonly Descendant[],
  from: { parentDocumentId: string | null },
  collectionId: string,
): Promise<void> {
  const moving = below.filter((document) => document.included);
  if (moving.length > 0) {
    await saveBatch(context, {
      documents: moving,
      set: sql`"collectionId" = ${collectionId}::uuid`,
      event: "document.moved",
      changed: ["collectionId"],
      leaves: true,
      collectionId,
    });
  }
  await moveUp(context, below, from.parentDocumentId);
}

/** Moves the descendants that stay up to the place of the document that leaves. */
export async function moveUp(
  context: WriteContext,
  below: readonly Descendant[],
  parentDocumentId: string | null,
): Promise<void> {
  const staying = below.filter((document) => !document.included);
  if (staying.length === 0) return;
  await saveBatch(context, {
    documents: staying,
    set: sql`"parentDocumentId" = ${parentDocumentId}::uuid`,
    event: "document.moved",
    changed: ["parentDocumentId"],
    leaves: false,
  });
}

/** Reads and locks the descendants of a document. The caller holds the tree's lock, so that none is added. */
export async function lockDescendants(
  context: WriteContext,
  rootId: string,
  may: "delete" | "edit",
): Promise<Descendant[]> {
  const { tx, actor } = context;
  const below = await descendants(tx, actor, rootId, may);
  if (below.length > 0) await lockDocuments(tx, actor, among(below.map((document) => document.id)));
  return below;
}
