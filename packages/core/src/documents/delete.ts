import { sql } from "@kb/db";
import { z } from "zod";
import { operation, type WriteContext } from "../operation.ts";
import { ExpectedRevision } from "../schema/document.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { lockDocument, lockTree } from "./lock.ts";
import { floatUp, lockDescendants } from "./move.ts";
import { requireRevision } from "./revision-guard.ts";
import type { DocumentWithFacts } from "./row.ts";
import { type Descendant, saveBatch } from "./subtree.ts";

const Deleted = z
  .object({ id: z.uuid(), status: z.literal("deleted"), deletedAt: Timestamp })
  .meta({ id: "DeletedDocument" });

/** Moves a document to the trash with everything below it, as one batch that a restore brings back as one. */
export const deleteDocument = operation({
  name: "documents.delete",
  summary: "Move a document to the trash",
  description:
    "The documents below it go with it, as far as the caller may delete them; those that stay move up to its place.",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ id: Id, expectedRevision: ExpectedRevision.optional() }),
  output: Deleted,
  turn: (request) => request.id,
  async run(context, { id, expectedRevision }) {
    const root = await lockForTrash(context, id);
    await requireRevision(context, root, expectedRevision);
    return trash(context, root, await lockDescendants(context, id, "delete"));
  },
});

/** Locks a document that the caller may trash, and the team's tree, so that nothing joins it meanwhile. */
export async function lockForTrash(context: WriteContext, id: string): Promise<DocumentWithFacts> {
  const { tx, actor } = context;
  await lockTree(tx, actor.teamId, "exclusive");
  return requireAccess(actor, "delete", await lockDocument(tx, actor, id));
}

/** Trashes a locked document as one batch with what stands below it, which is locked too. */
export async function trash(
  context: WriteContext,
  root: DocumentWithFacts,
  below: readonly Descendant[],
): Promise<z.input<typeof Deleted>> {
  const { id } = root;
  const at = await saveBatch(context, {
    documents: [root, ...below.filter((document) => document.included)],
    set: sql`"deletedAt" = stamped.at, "deleteBatchId" = ${id}::uuid`,
    event: "document.deleted",
    changed: ["deletedAt"],
    leaves: true,
  });
  await floatUp(context, below, root.parentDocumentId);
  return { id, status: "deleted", deletedAt: timestamp(at) };
}
