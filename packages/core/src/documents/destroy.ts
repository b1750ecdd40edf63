import { deletableDocuments } from "@kb/auth";
import { sql, stampChange } from "@kb/db";
import { z } from "zod";
import { emit } from "../events.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { lockDocument, lockDocuments, lockTree } from "./lock.ts";
import { documentHappening } from "./save.ts";
import { among, type Batch, type BatchContext, saveBatch } from "./subtree.ts";
import { bury } from "./tombstones.ts";
import { requireInTrash } from "./trash.ts";

/** Destroys a document of the trash for good, with what went to the trash together with it. */
export const destroyDocument = operation({
  name: "documents.destroy",
  summary: "Destroy a document of the trash for good",
  description:
    "What went to the trash together with it, below it, goes with it, as a restore would bring it back; `destroyed` says how many these were. Nothing of them is kept: no body, no revision.",
  scope: "write",
  capability: "document.destroy",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("destroyed"), destroyed: z.int() }),
  turn: (request) => request.id,
  async run(context, { id }) {
    const { tx, actor } = context;
    await lockTree(tx, actor.teamId, "exclusive");
    requireInTrash(actor, await lockDocument(tx, actor, id));
    const together = await tx.rows<{ id: string }>(sql`SELECT d.id FROM documents d
      WHERE d."teamId" = ${actor.teamId}::uuid AND d."deletedAt" IS NOT NULL
        AND (d.id = ${id}::uuid OR (d."deleteBatchId" = ${id}::uuid AND ${deletableDocuments(actor)}))`);
    const ids = together.map((document) => document.id);
    return { id, status: "destroyed" as const, destroyed: await destroyDocuments(context, ids) };
  },
});

/** Most documents that one call takes out of the trash. */
const emptiedAtOnce = 500;

/** Destroys what the caller sees in the trash, oldest first, so many at a time. */
export const emptyTrash = operation({
  name: "trash.empty",
  summary: "Destroy what is in the trash for good",
  description: `Destroys what the caller sees in the trash, oldest first and at most ${emptiedAtOnce} documents a call: repeat it until \`remaining\` is 0.`,
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
      SELECT ARRAY(SELECT id FROM trash ORDER BY "deletedAt", id LIMIT ${emptiedAtOnce}) AS ids,
        (SELECT count(*)::int FROM trash) AS total`);
    const { ids = [], total = 0 } = trash ?? {};
    const destroyed = await destroyDocuments(context, ids);
    context.audit.about("team", actor.teamId);
    context.audit.note({ destroyed });
    if (destroyed === 0) context.audit.nothing();
    return { destroyed, remaining: total - destroyed };
  },
});

/**
 * Destroys those of the documents that are in the trash, whoever may see them. The caller holds the tree's lock. Files that
 * belonged to them are let go: the clean-up of attachments takes what no other document mentions.
 */
export async function destroyDocuments(context: BatchContext, ids: readonly string[]): Promise<number> {
  const { tx, actor, now, appUrl } = context;
  const { teamId } = actor;
  const doomed = await tx.rows<Batch["documents"][number]>(sql`SELECT d.id, d.title, d.revision, d."collectionId",
      d."publishedAt", d."createdById"
    FROM documents d WHERE d."teamId" = ${teamId}::uuid AND ${among(ids)} AND d."deletedAt" IS NOT NULL
    ORDER BY d.id FOR UPDATE`);
  if (doomed.length === 0) return 0;
  const gone = doomed.map((document) => document.id);
  await orphan(context, gone);
  const stamp = await stampChange(tx, teamId, now, doomed.length);
  await removeRows(context, gone);
  const moment = (index: number): Date => new Date(stamp.at.getTime() + index);
  await bury(
    tx,
    teamId,
    doomed.map((state, index) => ({ state, at: moment(index) })),
  );
  await emit(
    tx,
    actor,
    stamp,
    doomed.map((document) => documentHappening("document.destroyed", document, [], appUrl)),
  );
  return doomed.length;
}

/** What stood below and stays in the trash stands at the top from now on. */
async function orphan(context: BatchContext, gone: readonly string[]): Promise<void> {
  const { tx, actor } = context;
  const below = sql`d."parentDocumentId" = ANY(${gone}::uuid[]) AND NOT ${among(gone)}`;
  await lockDocuments(tx, actor, below);
  const documents = await tx.rows<Batch["documents"][number]>(sql`SELECT d.id, d.title, d.revision, d."collectionId",
      d."publishedAt", d."createdById"
    FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND ${below} ORDER BY d.id`);
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

/** The rest goes with the row: body, tags, entries of restricted keys, remembered confirmations. */
async function removeRows({ tx, actor }: BatchContext, ids: readonly string[]): Promise<void> {
  const team = sql`x."teamId" = ${actor.teamId}::uuid`;
  const theirs = sql`${team} AND x."documentId" = ANY(${ids}::uuid[])`;
  await tx.execute(sql`DELETE FROM document_revisions x WHERE ${theirs}`);
  await tx.execute(sql`DELETE FROM revision_bodies x WHERE ${theirs}`);
  await tx.execute(sql`UPDATE attachments x SET "documentId" = NULL WHERE ${theirs}`);
  // A stored answer to a POST holds the text for its day.
  await tx.execute(sql`DELETE FROM idempotency_keys x WHERE ${team} AND x.output->>'id' = ANY(${ids}::text[])`);
  await tx.execute(sql`DELETE FROM documents d WHERE d."teamId" = ${actor.teamId}::uuid AND ${among(ids)}`);
}
