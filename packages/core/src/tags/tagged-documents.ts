import { type Database, sql } from "@kb/db";
import type { WriteContext } from "../context.ts";
import { lockDocuments } from "../documents/lock.ts";
import { type BatchDocument, findBatchDocuments, saveBatch } from "../documents/subtree.ts";
import { indexAfterCommit } from "../search/index-again.ts";

/** Returns the condition that `documents d` carries a tag. */
const carrying = (tagId: string) => sql`EXISTS (SELECT 1 FROM document_tags dt
  WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND dt."tagId" = ${tagId}::uuid)`;

/** Locks the documents that carry a tag. Call it before the team's clock is stamped, as all locks of documents are. */
export function lockTaggedDocuments({ tx, actor }: WriteContext, tagId: string): Promise<void> {
  return lockDocuments(tx, actor, carrying(tagId));
}

/** Reads the documents that carry a tag. Under the team's clock no document is added. */
export function findTaggedDocuments({ tx, actor }: WriteContext, tagId: string): Promise<BatchDocument[]> {
  return findBatchDocuments(tx, actor, carrying(tagId));
}

/** Raises the revision of documents whose tags have changed, and updates their search index after the commit. */
export async function updateTaggedDocuments(
  context: WriteContext,
  database: Database,
  documents: readonly BatchDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const { tx, actor } = context;
  await saveBatch(context, {
    documents,
    set: sql`"lastModifiedById" = ${actor.userId}::uuid`,
    event: "document.updated",
    changed: ["tags"],
    leaves: false,
  });
  await indexAfterCommit(
    tx,
    database,
    actor.teamId,
    documents.map(({ id }) => id),
  );
}
