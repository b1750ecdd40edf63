import { deletableDocuments } from "@kb/auth";
import { sql, stampChange } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { lockBesideBody, lockDocuments, lockTree } from "./lock.ts";
import { documentEvent } from "./save.ts";
import { among, type BatchContext, findBatchDocuments, saveBatch } from "./subtree.ts";
import { writeTombstones } from "./tombstones.ts";
import { requireInTrash } from "./trash.ts";

/** Permanently deletes a document from the trash, with the rest of its batch. */
export const destroyDocument = operation({
  name: "documents.destroy",
  summary: "Permanently delete a document from the trash",
  description:
    "Includes the documents below it that went to the trash with it, as a restore would; `destroyed` is their number. Nothing is kept, neither bodies nor revisions.",
  scope: "write",
  capability: "document.destroy",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("destroyed"), destroyed: z.int() }),
  queueBy: (request) => request.id,
  async run(context, { id }) {
    const { tx, actor } = context;
    await lockTree(tx, actor.teamId, "exclusive");
    requireInTrash(actor, await lockBesideBody(context, id, "restore"));
    const together = await tx.rows<{ id: string }>(sql`SELECT d.id FROM documents d
      WHERE d."teamId" = ${actor.teamId}::uuid AND d."deletedAt" IS NOT NULL
        AND (d.id = ${id}::uuid OR (d."deleteBatchId" = ${id}::uuid AND ${deletableDocuments(actor)}))`);
    const ids = together.map((document) => document.id);
    return { id, status: "destroyed" as const, destroyed: await destroyDocuments(context, ids) };
  },
});

/** The maximum number of documents that one call destroys. */
const maxDestroyedPerCall = 500;

/** Permanently deletes the documents that the caller sees in the trash, oldest first, a bounded number per call. */
export const emptyTrash = operation({
  name: "trash.empty",
  summary: "Empty the trash permanently",
  description: `Permanently deletes the documents that you see in the trash, oldest first, at most ${maxDestroyedPerCall} per call. Repeat the call until \`remaining\` is 0.`,
  scope: "write",
  capability: "document.destroy",
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.object({ destroyed: z.int(), remaining: z.int() }),
  async run(context) {
    const { tx, actor } = context;
    await lockTree(tx, actor.teamId, "exclusive");
    const [trash] = await tx.rows<{ ids: string[]; total: number }>(sql`
      WITH trash AS (SELECT d.id, d."deletedAt" FROM documents d
        WHERE d."teamId" = ${actor.teamId}::uuid AND d."deletedAt" IS NOT NULL AND ${deletableDocuments(actor)})
      SELECT ARRAY(SELECT id FROM trash ORDER BY "deletedAt", id LIMIT ${maxDestroyedPerCall}) AS ids,
        (SELECT count(*)::int FROM trash) AS total`);
    const { ids = [], total = 0 } = trash ?? {};
    const destroyed = await destroyDocuments(context, ids);
    context.audit.setTarget("team", actor.teamId);
    context.audit.addDetails({ destroyed });
    if (destroyed === 0) context.audit.unchanged();
    return { destroyed, remaining: total - destroyed };
  },
});

/**
 * Permanently deletes those of the documents that are in the trash, whoever may see them. The caller holds the tree's
 * lock. Attachments lose their document; the clean-up removes those that no other document mentions.
 */
export async function destroyDocuments(context: BatchContext, ids: readonly string[]): Promise<number> {
  const { tx, outbox, actor, now, appUrl } = context;
  const { teamId } = actor;
  const documents = await findBatchDocuments(
    tx,
    actor,
    sql`${among(ids)} AND d."deletedAt" IS NOT NULL`,
    sql`FOR UPDATE`,
  );
  if (documents.length === 0) return 0;
  const gone = documents.map((document) => document.id);
  await detachChildren(context, gone);
  const stamp = await stampChange(tx, teamId, now, documents.length);
  await removeRows(context, gone);
  const moment = (index: number): Date => new Date(stamp.at.getTime() + index);
  await writeTombstones(
    tx,
    teamId,
    documents.map((state, index) => ({ state, at: moment(index) })),
  );
  outbox.emit(
    stamp,
    documents.map((document) => documentEvent("document.destroyed", document, [], appUrl)),
  );
  return documents.length;
}

/** Moves documents that stay in the trash to the top when their parent is destroyed. */
async function detachChildren(context: BatchContext, gone: readonly string[]): Promise<void> {
  const { tx, actor } = context;
  const below = sql`d."parentDocumentId" = ANY(${gone}::uuid[]) AND NOT ${among(gone)}`;
  await lockDocuments(tx, actor, below);
  const documents = await findBatchDocuments(tx, actor, below);
  if (documents.length === 0) return;
  const set = sql`"parentDocumentId" = NULL`;
  await saveBatch(context, {
    documents,
    set,
    event: "document.moved",
    changed: ["parentDocumentId"],
    leaves: false,
  });
}

/**
 * Deletes the rows and everything that does not go with them by a foreign key: revisions, attachments' links, stored
 * answers.
 */
async function removeRows({ tx, actor }: BatchContext, ids: readonly string[]): Promise<void> {
  const team = sql`x."teamId" = ${actor.teamId}::uuid`;
  const theirs = sql`${team} AND x."documentId" = ANY(${ids}::uuid[])`;
  await tx.execute(sql`DELETE FROM document_revisions x WHERE ${theirs}`);
  await tx.execute(sql`DELETE FROM revision_bodies x WHERE ${theirs}`);
  await tx.execute(sql`UPDATE attachments x SET "documentId" = NULL WHERE ${theirs}`);
  // A stored answer of an idempotent call would keep the text for a day.
  await tx.execute(sql`DELETE FROM idempotency_keys x WHERE ${team} AND x.output->>'id' = ANY(${ids}::text[])`);
  await tx.execute(sql`DELETE FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND ${among(ids)}`);
}
