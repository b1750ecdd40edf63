import { sql, stampChange } from "@kb/db";
import { z } from "zod";
import { lockDocuments, lockTree } from "../documents/lock.ts";
import { type Batch, saveBatch } from "../documents/subtree.ts";
import { emit } from "../events.ts";
import { operation, type WriteContext } from "../operation.ts";
import { Collection } from "../schema/collection.ts";
import { Id } from "../schema/text.ts";
import { type CollectionRow, collectionHappening, lockCollection, presentCollection } from "./row.ts";

const input = z.strictObject({ id: Id });

function unchanged({ audit }: WriteContext, row: CollectionRow) {
  audit.nothing();
  return presentCollection(row);
}

/** Archives a collection with every document in it; a repeat changes nothing. */
export const archiveCollection = operation({
  name: "collections.archive",
  summary: "Archive a collection and its documents",
  scope: "write",
  capability: "collection.edit",
  input,
  output: Collection,
  async run(context, { id }) {
    const before = await begin(context, id);
    if (before.archivedAt !== null) return unchanged(context, before);
    await fileDocuments(
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

/** Brings a collection back, with the documents that were archived together with it. */
export const unarchiveCollection = operation({
  name: "collections.unarchive",
  summary: "Bring a collection back from the archive",
  scope: "write",
  capability: "collection.edit",
  input,
  output: Collection,
  async run(context, { id }) {
    const before = await begin(context, id);
    if (before.archivedAt === null) return unchanged(context, before);
    await fileDocuments(context, sql`d."archiveBatchId" = ${id}::uuid AND d."deletedAt" IS NULL`, {
      set: sql`"archivedAt" = NULL, "archiveBatchId" = NULL`,
      event: "document.unarchived",
      leaves: false,
    });
    return save(context, id, false);
  },
});

async function begin(context: WriteContext, id: string): Promise<CollectionRow> {
  await lockTree(context.tx, context.actor.teamId, "exclusive");
  return lockCollection(context.tx, context.actor, "edit", id);
}

/** The right over a collection covers what is in it, drafts of others too. */
async function fileDocuments(
  context: WriteContext,
  condition: ReturnType<typeof sql>,
  batch: Pick<Batch, "set" | "event" | "leaves">,
): Promise<void> {
  const { tx, actor } = context;
  await lockDocuments(tx, actor, condition);
  const documents = await tx.rows<Batch["documents"][number]>(sql`
    SELECT d.id, d.title, d.revision, d."collectionId", d."publishedAt", d."createdById"
    FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND ${condition} ORDER BY d.id`);
  if (documents.length > 0) await saveBatch(context, { ...batch, documents, changed: ["archivedAt"] });
}

async function save({ tx, actor, now }: WriteContext, id: string, archived: boolean) {
  const stamp = await stampChange(tx, actor.teamId, now);
  const after = await tx.collection.update({
    where: { teamId_id: { teamId: actor.teamId, id } },
    data: { archivedAt: archived ? stamp.at : null, updatedAt: stamp.at },
  });
  const type = archived ? "collection.archived" : "collection.unarchived";
  await emit(tx, actor, stamp, [collectionHappening(type, after, ["archivedAt"])]);
  return presentCollection(after);
}
