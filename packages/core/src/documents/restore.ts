import { type Actor, deletableDocuments } from "@kb/auth";
import { type Sql, sql, type Tx } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation, type WriteContext } from "../operation.ts";
import { ExpectedRevision } from "../schema/document.ts";
import { Id } from "../schema/text.ts";
import { lockDocument, lockTree } from "./lock.ts";
import { requireActive, requireDestination } from "./place.ts";
import { requireRevision } from "./revision-guard.ts";
import type { DocumentWithFacts } from "./row.ts";
import { saveBatch } from "./subtree.ts";
import { requireInTrash } from "./trash.ts";

/** Brings a document back from the trash; the root of a batch brings the batch back. */
export const restoreDocument = operation({
  name: "documents.restore",
  summary: "Restore a document from the trash",
  description:
    "A published document comes back published. Its parent is kept unless that is gone. `collectionId` names another collection, for a document whose own is gone.",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ id: Id, collectionId: Id.optional(), expectedRevision: ExpectedRevision.optional() }),
  output: z.object({ id: z.uuid(), status: z.literal("restored") }).meta({ id: "RestoredDocument" }),
  turn: (request) => request.id,
  async run(context, { id, collectionId, expectedRevision }) {
    const { tx, actor } = context;
    await lockTree(tx, actor.teamId, "exclusive");
    const root = requireInTrash(actor, await lockDocument(tx, actor, id));
    await requireRevision(context, root, expectedRevision);
    const target = await destination(context, root, collectionId);
    const batch = await trashedBatch(tx, actor, id);
    const ids = batch.map((document) => document.id);
    await saveBatch(context, {
      documents: batch,
      set: sql`"deletedAt" = NULL, "deleteBatchId" = NULL, "collectionId" = ${target}::uuid,
        "parentDocumentId" = ${survivingParent(ids, target)}`,
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
    throw new ServiceError("conflict", "The document's collection is gone: name one in `collectionId`.", {
      details: [{ path: "collectionId", message: "Required, because the collection is gone" }],
    });
  }
  if (wanted !== undefined && wanted !== root.collectionId) {
    await requireDestination(context.tx, context.actor, wanted);
    return target;
  }
  await requireActive(context, target);
  return target;
}

type Trashed = {
  id: string;
  title: string;
  revision: number;
  collectionId: string | null;
  publishedAt: Date | null;
  createdById: string | null;
};

/** The document, and when it is the root of its batch, what else went with it and the caller may restore. Locked. */
function trashedBatch(tx: Tx, actor: Actor, id: string): Promise<Trashed[]> {
  // Locking and reading in one: a locking read gives each row as it is once the lock is held.
  return tx.rows<Trashed>(sql`SELECT d.id, d.title, d.revision, d."collectionId", d."publishedAt", d."createdById"
    FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND d."deletedAt" IS NOT NULL AND (d.id = ${id}::uuid
      OR (d."deleteBatchId" = ${id}::uuid AND ${deletableDocuments(actor)}))
    ORDER BY d.id FOR UPDATE`);
}

/** The parent, unless it is missing, stays in the trash, or stands in another collection by now. */
function survivingParent(restored: readonly string[], collectionId: string): Sql {
  return sql`(SELECT p.id FROM documents p WHERE p."teamId" = d."teamId" AND p.id = d."parentDocumentId"
    AND (p.id = ANY(${restored}::uuid[]) OR (p."deletedAt" IS NULL AND p."collectionId" = ${collectionId}::uuid)))`;
}
