import { sql } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { operation } from "../operation.ts";
import { Document, type DocumentView, ExpectedRevision } from "../schema/document.ts";
import { Id } from "../schema/text.ts";
import { requireAccess } from "./access.ts";
import { lockBesideBody, lockTree } from "./lock.ts";
import { lockDescendants } from "./move.ts";
import { requireActiveCollection } from "./place.ts";
import { requireRevision } from "./revision-guard.ts";
import { type DocumentWithFacts, presentDocument } from "./row.ts";
import { byActor, saveBatch } from "./subtree.ts";

const input = z.strictObject({ id: Id, expectedRevision: ExpectedRevision.optional() });

async function lockForChange(context: WriteContext, request: z.output<typeof input>): Promise<DocumentWithFacts> {
  const { tx, actor } = context;
  await lockTree(tx, actor.teamId, "exclusive");
  const root = requireAccess(actor, "delete", await lockBesideBody(context, request.id, "delete"));
  await requireRevision(context, root, request.expectedRevision);
  return root;
}

function answerUnchanged({ audit, appUrl }: WriteContext, root: DocumentWithFacts): DocumentView {
  audit.unchanged();
  return presentDocument(root, appUrl);
}

/** Returns the root as the batch left it, but for what the batch was about. */
const afterBatch = ({ actor }: WriteContext, root: DocumentWithFacts, at: Date): DocumentWithFacts => ({
  ...root,
  revision: root.revision + 1,
  lastModifiedById: actor.userId,
  updatedAt: at,
});

/** Archives a document with everything below it that the caller may archive. A repeat changes nothing. */
export const archiveDocument = operation({
  name: "documents.archive",
  summary: "Archive a document and everything below it",
  scope: "write",
  capability: "document.edit",
  input,
  output: Document,
  queueBy: (request) => request.id,
  async run(context, request) {
    const root = await lockForChange(context, request);
    if (root.archivedAt !== null) return answerUnchanged(context, root);
    const below = await lockDescendants(context, root.id, "delete");
    const active = below.filter((document) => document.included && document.archivedAt === null);
    const at = await saveBatch(context, {
      documents: [root, ...active],
      set: sql`"archivedAt" = stamped.at, "archiveBatchId" = ${root.id}::uuid${byActor(context)}`,
      event: "document.archived",
      changed: ["archivedAt"],
      leaves: true,
    });
    return presentDocument({ ...afterBatch(context, root, at), archivedAt: at }, context.appUrl);
  },
});

/** Restores a document from the archive, with the documents that were archived together with it. */
export const unarchiveDocument = operation({
  name: "documents.unarchive",
  summary: "Restore a document from the archive",
  scope: "write",
  capability: "document.edit",
  input,
  output: Document,
  queueBy: (request) => request.id,
  async run(context, request) {
    const root = await lockForChange(context, request);
    if (root.archivedAt === null) return answerUnchanged(context, root);
    if (root.collectionId !== null) await requireActiveCollection(context, root.collectionId);
    const below = await lockDescendants(context, root.id, "delete");
    const together = below.filter((document) => document.included && document.archiveBatchId === root.id);
    const at = await saveBatch(context, {
      documents: [root, ...together],
      set: sql`"archivedAt" = NULL, "archiveBatchId" = NULL${byActor(context)}`,
      event: "document.unarchived",
      changed: ["archivedAt"],
      leaves: false,
    });
    return presentDocument({ ...afterBatch(context, root, at), archivedAt: null }, context.appUrl);
  },
});
