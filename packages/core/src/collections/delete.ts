import { sql, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import { lockDocuments, lockTree } from "../documents/lock.ts";
import { type BatchDocument, batchColumns, byActor, saveBatch } from "../documents/subtree.ts";
import { operation } from "../operation.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";
import { collectionEvent, lockCollection } from "./row.ts";

/**
 * Deletes a collection. Its documents go to the trash, each top-level one with everything below it as a batch. The row
 * stays, hidden from everybody, so that the trash shows the documents only to users who could see them before.
 */
export const deleteCollection = operation({
  name: "collections.delete",
  summary: "Delete a collection and move its documents to the trash",
  description:
    "Only for managers of the collection. A restore of one of its documents must name another collection, and moves the document there with everything below it.",
  scope: "write",
  capability: "collection.edit",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: z.object({
    id: z.uuid(),
    status: z.literal("deleted"),
    deletedAt: Timestamp,
    /** The number of documents that went to the trash. */
    documentCount: z.int(),
  }),
  async run(context, { id }) {
    const { tx, outbox, actor, now } = context;
    const { teamId } = actor;
    await lockTree(tx, teamId, "exclusive");
    const collection = await lockCollection(tx, actor, "manage", id);
    await lockDocuments(tx, actor, sql`d."collectionId" = ${id}::uuid AND d."deletedAt" IS NULL`);
    const documents = await markBatches(tx, teamId, id);
    if (documents.length > 0) {
      await saveBatch(context, {
        documents,
        set: sql`"deletedAt" = stamped.at${byActor(context)}`,
        event: "document.deleted",
        changed: ["deletedAt"],
        leaves: true,
      });
    }
    const stamp = await stampChange(tx, teamId, now);
    const where = { teamId_id: { teamId, id } };
    await tx.collection.update({ where, data: { deletedAt: stamp.at, updatedAt: stamp.at } });
    outbox.emit(stamp, [collectionEvent("collection.deleted", collection, ["deletedAt"])]);
    return { id, status: "deleted" as const, deletedAt: timestamp(stamp.at), documentCount: documents.length };
  },
});

/** Records the topmost document above each document of the collection; a restore uses it as the batch. */
function markBatches(tx: Tx, teamId: string, collectionId: string): Promise<BatchDocument[]> {
  const here = sql`d."teamId" = ${teamId}::uuid AND d."collectionId" = ${collectionId}::uuid AND d."deletedAt" IS NULL`;
  return tx.rows(sql`
    WITH RECURSIVE tree AS (
      SELECT d.id, d.id AS top FROM documents d WHERE ${here} AND NOT EXISTS (SELECT 1 FROM documents p
        WHERE p."teamId" = d."teamId" AND p.id = d."parentDocumentId" AND p."deletedAt" IS NULL
          AND p."collectionId" = d."collectionId")
      UNION ALL
      SELECT d.id, t.top FROM documents d JOIN tree t ON d."parentDocumentId" = t.id WHERE ${here}
    )
    UPDATE documents d SET "deleteBatchId" = tree.top FROM tree WHERE d."teamId" = ${teamId}::uuid AND d.id = tree.id
    RETURNING ${batchColumns}`);
}
