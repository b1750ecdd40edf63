import { sql } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { ExpectedRevision } from "../schema/document.ts";
import { Id, Timestamp, timestamp } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { lockDocument, lockTree } from "./lock.ts";
import { floatUp, lockDescendants } from "./move.ts";
import { requireRevision } from "./revision-guard.ts";
import { saveBatch } from "./subtree.ts";

/** Moves a document to the trash with everything below it, as one batch that a restore brings back as one. */
export const deleteDocument = operation({
  name: "documents.delete",
  summary: "Move a document to the trash",
  description:
    "The documents below it go with it, as far as the caller may delete them; those that stay move up to its place.",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ id: Id, expectedRevision: ExpectedRevision.optional() }),
  output: z
    .object({ id: z.uuid(), status: z.literal("deleted"), deletedAt: Timestamp })
    .meta({ id: "DeletedDocument" }),
  turn: (request) => request.id,
  async run(context, { id, expectedRevision }) {
    const { tx, actor } = context;
    await lockTree(tx, actor.teamId, "exclusive");
    const root = requireAccess(actor, "delete", await lockDocument(tx, actor, id));
    await requireRevision(context, root, expectedRevision);
    const below = await lockDescendants(context, id, "delete");
    const at = await saveBatch(context, {
      documents: [root, ...below.filter((document) => document.included)],
      set: sql`"deletedAt" = stamped.at, "deleteBatchId" = ${id}::uuid`,
      event: "document.deleted",
      changed: ["deletedAt"],
      leaves: true,
    });
    await floatUp(context, below, root.parentDocumentId);
    return { id, status: "deleted" as const, deletedAt: timestamp(at) };
  },
});
