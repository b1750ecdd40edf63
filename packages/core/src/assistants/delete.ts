import { createHash } from "node:crypto";
import { readableCollections } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { lockForTrash, trash } from "../documents/delete.ts";
import { lockDescendants } from "../documents/move.ts";
import { operation, type WriteContext } from "../operation.ts";
import { Id, Timestamp } from "../schema/text.ts";

/** How long the first call is remembered. */
const rememberedMs = 600_000;

const Preview = z.object({
  title: z.string(),
  collectionName: z.string().nullable(),
  /** Characters of Markdown. */
  bodyLength: z.int(),
  /** Documents below it, which would go with it. */
  children: z.int(),
});

/**
 * Trashing in two steps: the first call changes nothing and shows what would go; the second one, with `confirm`, does it,
 * if it comes within ten minutes and nothing of what would go has changed since.
 */
export const deleteDocumentForAssistants = operation({
  name: "assistants.delete",
  summary: "Move a document to the trash, in two steps",
  scope: "write",
  capability: "document.edit",
  input: z.strictObject({ id: Id, confirm: z.boolean().optional() }),
  output: z.discriminatedUnion("status", [
    z.object({ status: z.literal("confirm_required"), id: z.uuid(), preview: Preview }),
    z.object({ status: z.literal("deleted"), id: z.uuid(), deletedAt: Timestamp }),
  ]),
  turn: (request) => request.id,
  async run(context, { id, confirm }) {
    const root = await lockForTrash(context, id);
    context.audit.about("document", id);
    const below = await lockDescendants(context, id, "delete");
    const along = below.filter((one) => one.included);
    const shown = fingerprint([root, ...along]);
    if (confirm === true && (await wasShown(context, id, shown))) return trash(context, root, below);
    context.audit.nothing();
    await remember(context, id, shown);
    const preview = { title: root.title, ...(await facts(context, id)), children: along.length };
    return { status: "confirm_required" as const, id, preview };
  },
});

/** Tells whether anything of what would go has changed, come or left. */
function fingerprint(documents: readonly { readonly id: string; readonly revision: number }[]): string {
  const revisions = documents.map(({ id, revision }) => `${id}:${revision}`);
  return createHash("sha256").update(revisions.join()).digest("base64url");
}

/** Whether the caller was shown, not long ago, what is there now. A first call counts once. */
async function wasShown({ tx, actor, now }: WriteContext, documentId: string, shown: string): Promise<boolean> {
  const [row] = await tx.rows<{ shown: string; at: Date }>(sql`DELETE FROM delete_confirmations m
    WHERE m."teamId" = ${actor.teamId}::uuid AND m."userId" = ${actor.userId}::uuid AND m."documentId" = ${documentId}::uuid
    RETURNING m.shown, m.at`);
  return row !== undefined && row.shown === shown && row.at.getTime() > now.getTime() - rememberedMs;
}

async function remember({ tx, actor, now }: WriteContext, documentId: string, shown: string): Promise<void> {
  const key = { teamId: actor.teamId, userId: actor.userId, documentId };
  await tx.deleteConfirmation.upsert({
    where: { teamId_userId_documentId: key },
    create: { ...key, shown, at: now },
    update: { shown, at: now },
  });
}

async function facts(
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
