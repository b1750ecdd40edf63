import { type Sql, sql, stampChange } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { lockDocuments, lockTree } from "../documents/lock.ts";
import { type Batch, byActor, findBatchDocuments, saveBatch } from "../documents/subtree.ts";
import { operation } from "../operation.ts";
import { Collection } from "../schema/collection.ts";
import { Id } from "../schema/text.ts";
import { type CollectionRow, collectionEvent, lockCollection, presentCollection } from "./row.ts";

const input = z.strictObject({ id: Id });

function answerUnchanged({ audit }: WriteContext, row: CollectionRow) {
  audit.unchanged();
  return presentCollection(row);
}

/** Archives a collection with all of its documents. A repeat changes nothing. */
export const archiveCollection = operation({
  name: "collections.archive",
  summary: "Archive a collection and its documents",
  scope: "write",
  capability: "collection.edit",
  input,
  output: Collection,
  async run(context, { id }) {
    const before = await lockForChange(context, id);
    if (before.archivedAt !== null) return answerUnchanged(context, before);
    await setArchived(
      context,
      sql`d."collectionId" = ${id}::uuid AND d."archivedAt" IS NULL AND d."deletedAt" IS NULL`,
      {
        set: sql`"archivedAt" = stamped.at, "archiveBatchId" = ${id}::uuid`,
        event: "document.archived",
        leaves: true,
      },
    );
    return save(context, id, true);
  },
});

/** Restores a collection from the archive, with the documents that were archived together with it. */
export const unarchiveCollection = operation({
  name: "collections.unarchive",
  summary: "Restore a collection from the archive",
  scope: "write",
  capability: "collection.edit",
  input,
  output: Collection,
  async run(context, { id }) {
    const before = await lockForChange(context, id);
    if (before.archivedAt === null) return answerUnchanged(context, before);
    await setArchived(context, sql`d."archiveBatchId" = ${id}::uuid AND d."deletedAt" IS NULL`, {
      set: sql`"archivedAt" = NULL, "archiveBatchId" = NULL`,
      event: "document.unarchived",
      leaves: false,
    });
    return save(context, id, false);
  },
});

async function lockForChange(context: WriteContext, id: string): Promise<CollectionRow> {
  await lockTree(context.tx, context.actor.teamId, "exclusive");
  return lockCollection(context.tx, context.actor, "edit", id);
}

/**
 * Archives or unarchives the documents of a collection. The permission on the collection covers them, including other
 * users' drafts.
 */
async function setArchived(
  context: WriteContext,
  condition: Sql,
  batch: Pick<Batch, "set" | "event" | "leaves">,
): Promise<void> {
  const { tx, actor } = context;
  await lockDocuments(tx, actor, condition);
  const documents = await findBatchDocuments(tx, actor, condition);
  if (documents.length === 0) return;
  const set = sql`${batch.set}${byActor(context)}`;
  await saveBatch(context, { ...batch, set, documents, changed: ["archivedAt"] });
}

async function save({ tx, outbox, actor, now }: WriteContext, id: string, archived: boolean) {
  const stamp = await stampChange(tx, actor.teamId, now);
  const after = await tx.collection.update({
    where: { teamId_id: { teamId: actor.teamId, id } },
    data: { archivedAt: archived ? stamp.at : null, updatedAt: stamp.at },
  });
  const type = archived ? "collection.archived" : "collection.unarchived";
  outbox.emit(stamp, [collectionEvent(type, after, ["archivedAt"])]);
  return presentCollection(after);
}
