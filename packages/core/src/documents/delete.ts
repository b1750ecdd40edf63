import { sql } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { operation } from "../operation.ts";
import { ExpectedRevision } from "../schema/document.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { lockBesideBody, lockTree } from "./lock.ts";
import { lockDescendants, moveUp } from "./move.ts";
import { requireRevision } from "./revision-guard.ts";
import type { DocumentWithFacts } from "./row.ts";
import { byActor, type Descendant, saveBatch } from "./subtree.ts";

const Deleted = z
  .object({ id: z.uuid(), status: z.literal("deleted"), deletedAt: Timestamp })
  .meta({ id: "DeletedDocument" });

/** Moves a document to the trash with everything below it, as one batch that a restore brings back together. */
export const deleteDocument = operation({
  name: "documents.delete",
  summary: "Move a document to the trash",
  description: "Includes the documents below it that you may delete; the others move up to its place.",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ id: Id, expectedRevision: ExpectedRevision.optional() }),
  output: Deleted,
  queueBy: (request) => request.id,
  async run(context, { id, expectedRevision }) {
    const root = await lockForDeletion(context, id);
    await requireRevision(context, root, expectedRevision);
    return moveToTrash(context, root, await lockDescendants(context, id, "delete"));
  },
});

/** Locks the team's tree and a document that the caller may delete, so that no document is added below it. */
export async function lockForDeletion(context: WriteContext, id: string): Promise<DocumentWithFacts> {
  const { tx, actor } = context;
  await lockTree(tx, actor.teamId, "exclusive");
  return requireAccess(actor, "delete", await lockBesideBody(context, id, "delete"));
}

/** Moves a locked document to the trash as one batch with its locked descendants. */
export async function moveToTrash(
  context: WriteContext,
  root: DocumentWithFacts,
  below: readonly Descendant[],
): Promise<z.input<typeof Deleted>> {
  const { id } = root;
  const at = await saveBatch(context, {
    documents: [root, ...below.filter((document) => document.included)],
    set: sql`"deletedAt" = stamped.at, "deleteBatchId" = ${id}::uuid${byActor(context)}`,
    event: "document.deleted",
    changed: ["deletedAt"],
    leaves: true,
  });
  await moveUp(context, below, root.parentDocumentId);
  return { id, status: "deleted", deletedAt: timestamp(at) };
}
