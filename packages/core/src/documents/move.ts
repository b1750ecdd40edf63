import { sql, type Tx } from "@kb/db";
import { ServiceError } from "../errors.ts";
import type { WriteContext } from "../operation.ts";
import { lockDocuments } from "./lock.ts";
import { among, type Descendant, descendants, saveBatch } from "./subtree.ts";

/** @throws {ServiceError} `conflict` when the new parent is below the document. The caller holds the tree's lock. */
export async function requireNoCycle(tx: Tx, teamId: string, id: string, parentId: string): Promise<void> {
  const above = await tx.rows<{ id: string }>(sql`
    WITH RECURSIVE above AS (
      SELECT d.id, d."parentDocumentId" FROM documents d WHERE d."teamId" = ${teamId}::uuid AND d.id = ${parentId}::uuid
      UNION
      SELECT d.id, d."parentDocumentId" FROM documents d JOIN above a ON d.id = a."parentDocumentId"
      WHERE d."teamId" = ${teamId}::uuid
    ) SELECT id FROM above WHERE id = ${id}::uuid`);
  if (above.length > 0) throw cycle();
}

export function cycle(): ServiceError {
  return new ServiceError("conflict", "A document cannot be placed below itself.", {
    details: [{ path: "parentDocumentId", message: "Is the document itself or below it" }],
  });
}

/**
 * Takes what stands below a moved document along into its new collection. What the caller may not edit stays where it is,
 * and moves up to the place that the moved document left.
 */
export async function moveSubtree(
  context: WriteContext,
  below: readonly Descendant[],
  from: { parentDocumentId: string | null },
  collectionId: string,
): Promise<void> {
  const along = below.filter((document) => document.included);
  if (along.length > 0) {
    await saveBatch(context, {
      documents: along,
      set: sql`"collectionId" = ${collectionId}::uuid`,
      event: "document.moved",
      changed: ["collectionId"],
      leaves: true,
      collectionId,
    });
  }
  await floatUp(context, below, from.parentDocumentId);
}

/** What stays when the document above it goes moves up to where that one stood. */
export async function floatUp(
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

/** Reads and locks what stands below a document. The caller holds the tree's lock, so nothing joins it meanwhile. */
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
