import { type Actor, deletableDocuments } from "@kb/auth";
import { type Sql, sql, type Tx } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { ExpectedRevision } from "../schema/document.ts";
import { Id } from "../schema/text.ts";
import { lockBesideBody, lockTree } from "./lock.ts";
import { requireActiveCollection, requireDestination } from "./place.ts";
import { requireRevision } from "./revision-guard.ts";
import type { DocumentWithFacts } from "./row.ts";
import { type BatchDocument, byActor, findBatchDocuments, saveBatch } from "./subtree.ts";
import { requireInTrash } from "./trash.ts";

/** Restores a document from the trash. The root of a batch restores the whole batch. */
export const restoreDocument = operation({
  name: "documents.restore",
  summary: "Restore a document from the trash",
  description:
    "A published document stays published, and keeps its parent if that still exists. If its collection was deleted, name another one in `collectionId`.",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ id: Id, collectionId: Id.optional(), expectedRevision: ExpectedRevision.optional() }),
  output: z.object({ id: z.uuid(), status: z.literal("restored") }).meta({ id: "RestoredDocument" }),
  queueBy: (request) => request.id,
  async run(context, { id, collectionId, expectedRevision }) {
    const { tx, actor } = context;
    await lockTree(tx, actor.teamId, "exclusive");
    const root = requireInTrash(actor, await lockBesideBody(context, id, "restore"));
    await requireRevision(context, root, expectedRevision);
    const target = await destination(context, root, collectionId);
    const batch = await trashedBatch(tx, actor, id);
    const ids = batch.map((document) => document.id);
    await saveBatch(context, {
      documents: batch,
      set: sql`"deletedAt" = NULL, "deleteBatchId" = NULL, "collectionId" = ${target}::uuid,
        "parentDocumentId" = ${survivingParent(ids, target)}${byActor(context)}`,
      event: "document.restored",
      changed: ["deletedAt"],
      leaves: false,
      collectionId: target,
    });
    return { id, status: "restored" as const };
  },
});

async function destination(
  context: WriteContext,
  root: DocumentWithFacts,
  wanted: string | undefined,
): Promise<string> {
  const target = wanted ?? root.collectionId;
  if (target === null) {
    throw new ServiceError("conflict", "The document's collection was deleted. Name another one in `collectionId`.", {
      details: [{ path: "collectionId", message: "Required, because the collection was deleted" }],
    });
  }
  if (wanted !== undefined && wanted !== root.collectionId) {
    await requireDestination(context.tx, context.actor, wanted);
    return target;
  }
  await requireActiveCollection(context, target);
  return target;
}

/**
 * Locks and reads the document and, if it is the root of its batch, the other documents of the batch that the caller
 * may restore.
 */
function trashedBatch(tx: Tx, actor: Actor, id: string): Promise<BatchDocument[]> {
  // One statement for both: a locking read returns each row as it is once the lock is held.
  const together = sql`d."deleteBatchId" = ${id}::uuid AND ${deletableDocuments(actor)}`;
  const condition = sql`d."deletedAt" IS NOT NULL AND (d.id = ${id}::uuid OR (${together}))`;
  return findBatchDocuments(tx, actor, condition, sql`FOR UPDATE`);
}

/**
 * Returns an expression for the parent. It is null if the parent is gone, stays in the trash, or is in another
 * collection now.
 */
function survivingParent(restored: readonly string[], collectionId: string): Sql {
  return sql`(SELECT p.id FROM documents p WHERE p."teamId" = d."teamId" AND p.id = d."parentDocumentId"
    AND (p.id = ANY(${restored}::uuid[]) OR (p."deletedAt" IS NULL AND p."collectionId" = ${collectionId}::uuid)))`;
}
