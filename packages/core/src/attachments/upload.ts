import { randomBytes } from "node:crypto";
import { type Actor, hashToken } from "@kb/auth";
import { newId, type Reader, sql } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { requireAccess } from "../documents/access.ts";
import { findDocument } from "../documents/row.ts";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { requireQuota } from "../quotas/require-quota.ts";
import { requireCapability } from "../require-capability.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { AttachedTo, Attachment, type AttachmentRow, ContentType, FileName, presentAttachment } from "./attachment.ts";
import { type Files, requireFiles } from "./files.ts";

/** The time for which an upload address is valid. */
const uploadTtlMs = 60 * 60 * 1000;

/** The address to which the bytes are sent, and the request that sends them. */
const UploadTicket = z
  .object({
    attachment: Attachment,
    uploadUrl: z.url(),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()),
    maxUploadSize: z.int(),
    expiresAt: Timestamp,
  })
  .meta({ id: "UploadTicket" });

/** Registers an attachment and returns its upload address: the first of the two steps of an upload. */
export const uploadAttachment = operation({
  name: "attachments.upload",
  summary: "Register an attachment for upload",
  description:
    "Then send the bytes by `PUT` to `uploadUrl`: once, within an hour, without another credential, and at most the declared `size`. The first bytes must match the declared type. Afterwards `attachment.url` serves the file to anybody who has the address; use it in Markdown.",
  scope: "write",
  capability: null,
  input: z.strictObject({
    name: FileName,
    contentType: ContentType,
    size: z.int().min(1),
    documentId: AttachedTo,
  }),
  output: UploadTicket,
  async run(context, { documentId, ...request }) {
    const files = requireFiles(context);
    requireSize(request.size, files);
    const { row, token } = await registerAttachment(context, { ...request, documentId: documentId ?? null });
    return {
      attachment: presentAttachment(row, context.appUrl),
      uploadUrl: `${context.appUrl}/api/attachments.upload/${row.id}?token=${token}`,
      method: "PUT" as const,
      headers: { "Content-Type": row.contentType },
      maxUploadSize: request.size,
      expiresAt: timestamp(new Date(context.now.getTime() + uploadTtlMs)),
    };
  },
});

/** Requires that an attachment is not too large. @throws {ServiceError} `payload_too_large` */
export function requireSize(size: number, { maxBytes }: Files): void {
  if (size > maxBytes) throw new ServiceError("payload_too_large", `An attachment may have at most ${maxBytes} bytes.`);
}

/** Requires that a user may attach files to a document, or to none. @throws {ServiceError} `forbidden`, `not_found` */
export async function requireMayAttach(reader: Reader, actor: Actor, documentId: string | null): Promise<void> {
  requireCapability(actor, "document.edit", "document.create");
  if (documentId !== null) requireAccess(actor, "edit", await findDocument(reader, actor, documentId));
}

/** The input of `registerAttachment`. */
export type NewAttachment = { name: string; contentType: string; size: number; documentId: string | null };

/**
 * Inserts the row of an attachment whose bytes are still to come, and returns the token for its upload. Its declared size
 * counts from now on.
 */
export async function registerAttachment(
  context: WriteContext,
  { name, contentType, size, documentId }: NewAttachment,
): Promise<{ row: AttachmentRow; token: string }> {
  const { tx, actor, now } = context;
  await requireMayAttach(tx, actor, documentId);
  const token = randomBytes(32).toString("base64url");
  const row: AttachmentRow = {
    id: newId(),
    publicId: randomBytes(24).toString("base64url"),
    name,
    contentType,
    size,
    documentId,
    createdById: actor.userId,
    status: "pending",
    createdAt: now,
  };
  await tx.execute(sql`
    INSERT INTO attachments ("teamId", id, "publicId", name, "contentType", size, "documentId", "createdById", status,
      "uploadHash", "uploadExpiresAt", "createdAt")
    VALUES (${actor.teamId}::uuid, ${row.id}::uuid, ${row.publicId}, ${name}, ${contentType}, ${size}::bigint,
      ${documentId}::uuid, ${actor.userId}::uuid, 'pending', ${hashToken(token)},
      ${new Date(now.getTime() + uploadTtlMs)}::timestamptz, ${now}::timestamptz)`);
  await requireQuota(context, actor.userId, { attachments: size });
  return { row, token };
}
