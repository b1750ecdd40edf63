import type { Actor } from "@kb/auth";
import { sql, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import { requireAccess } from "../documents/access.ts";
import { type DocumentWithFacts, documentUrl, findDocument } from "../documents/row.ts";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";

/**
 * Deletes a file of a document. Its address answers 404 at once, its size counts no longer, and the clean-up removes its
 * bytes, so that a running backup still reads them. Mentions in texts stay, and show as missing.
 */
export const deleteAttachment = operation({
  name: "attachments.delete",
  summary: "Delete a file of a document",
  description:
    "For those who may edit the document. The address of the file answers 404 from now on, for everybody; links and images in texts stay as they are and show as missing.",
  scope: "write",
  capability: "document.edit",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("deleted") }),
  async run({ tx, outbox, actor, now, audit, appUrl }, { id }) {
    const { name, document } = await requireFile(tx, actor, id);
    audit.setTarget("attachment", id);
    audit.addDetails({ documentId: document.id });
    await tx.execute(sql`UPDATE attachments a
      SET status = 'deleted', "documentId" = NULL, size = 0, "uploadHash" = NULL, "uploadExpiresAt" = NULL
      WHERE a."teamId" = ${actor.teamId}::uuid AND a.id = ${id}::uuid`);
    const stamp = await stampChange(tx, actor.teamId, now);
    const { id: documentId, collectionId, createdById, publishedAt } = document;
    const data = { id, title: name, documentId, collectionId, url: documentUrl(appUrl, documentId) };
    outbox.emit(stamp, [{ type: "attachment.deleted", documentId, collectionId, createdById, publishedAt, data }]);
    return { id, status: "deleted" as const };
  },
});

/**
 * Locks a complete file and finds its document, which the caller may edit.
 * @throws {ServiceError} `not_found` for a file of a hidden document, as for one that does not exist; `forbidden` for one
 * whose document the caller only reads
 */
async function requireFile(tx: Tx, actor: Actor, id: string): Promise<{ name: string; document: DocumentWithFacts }> {
  const [file] = await tx.rows<{ name: string; documentId: string | null }>(sql`
    SELECT a.name, a."documentId" FROM attachments a
    WHERE a."teamId" = ${actor.teamId}::uuid AND a.id = ${id}::uuid AND a.status = 'ready' FOR UPDATE`);
  const { name = "", documentId = null } = file ?? {};
  const document = documentId === null ? null : await findDocument(tx, actor, documentId, { text: false });
  if (document === null) throw notFound("File");
  return { name, document: requireAccess(actor, "edit", document) };
}
