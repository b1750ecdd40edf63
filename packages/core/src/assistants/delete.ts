import { createHash } from "node:crypto";
import { readableCollections } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { lockForDeletion, moveToTrash } from "../documents/delete.ts";
import { lockDescendants } from "../documents/move.ts";
import { operation } from "../operation.ts";
import { Id, Timestamp } from "../schema/text.ts";

/** The time for which the first call counts as confirmed. */
const confirmationTtlMs = 600_000;

const Preview = z.object({
  title: z.string(),
  collectionName: z.string().nullable(),
  /** In characters of Markdown. */
  bodyLength: z.int(),
  /** The number of documents below it that would also go. */
  children: z.int(),
});

/**
 * Moves a document to the trash in two steps. The first call changes nothing and shows what would go. The second call,
 * with `confirm`, moves it if it comes within ten minutes and nothing has changed since.
 */
export const deleteDocumentForAssistants = operation({
  name: "assistants.delete",
  summary: "Move a document to the trash in two steps",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ id: Id, confirm: z.boolean().optional() }),
  output: z.discriminatedUnion("status", [
    z.object({ status: z.literal("confirm_required"), id: z.uuid(), preview: Preview }),
    z.object({ status: z.literal("deleted"), id: z.uuid(), deletedAt: Timestamp }),
  ]),
  queueBy: (request) => request.id,
  async run(context, { id, confirm }) {
    const root = await lockForDeletion(context, id);
    context.audit.setTarget("document", id);
    const below = await lockDescendants(context, id, "delete");
    const included = below.filter((one) => one.included);
    const shown = fingerprint([root, ...included]);
    if (confirm === true && (await consumeConfirmation(context, id, shown))) return moveToTrash(context, root, below);
    context.audit.unchanged();
    await storeConfirmation(context, id, shown);
    const preview = { title: root.title, ...(await readPreview(context, id)), children: included.length };
    return { status: "confirm_required" as const, id, preview };
  },
});

/** Returns a hash that changes when a document of the batch changes, joins or leaves. */
function fingerprint(documents: readonly { readonly id: string; readonly revision: number }[]): string {
  const revisions = documents.map(({ id, revision }) => `${id}:${revision}`);
  return createHash("sha256").update(revisions.join()).digest("base64url");
}

/** Tells whether the caller was recently shown the current state. Consumes the first call. */
async function consumeConfirmation(
  { tx, actor, now }: WriteContext,
  documentId: string,
  shown: string,
): Promise<boolean> {
  const [row] = await tx.rows<{ shown: string; at: Date }>(sql`DELETE FROM delete_confirmations m
    WHERE m."teamId" = ${actor.teamId}::uuid AND m."userId" = ${actor.userId}::uuid AND m."documentId" = ${documentId}::uuid
    RETURNING m.shown, m.at`);
  return row !== undefined && row.shown === shown && row.at.getTime() > now.getTime() - confirmationTtlMs;
}

async function storeConfirmation({ tx, actor, now }: WriteContext, documentId: string, shown: string): Promise<void> {
  const key = { teamId: actor.teamId, userId: actor.userId, documentId };
  await tx.deleteConfirmation.upsert({
    where: { teamId_userId_documentId: key },
    create: { ...key, shown, at: now },
    update: { shown, at: now },
  });
}

async function readPreview(
  { tx, actor }: WriteContext,
  id: string,
): Promise<{ bodyLength: number; collectionName: string | null }> {
  const [row] = await tx.rows<{ bodyLength: number; collectionName: string | null }>(sql`
    SELECT length(b.markdown) AS "bodyLength", CASE WHEN ${readableCollections(actor)} THEN c.name END AS "collectionName"
    FROM documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id
    LEFT JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"
    WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid`);
  return row ?? { bodyLength: 0, collectionName: null };
}
