import { randomBytes } from "node:crypto";
import { type Actor, hashToken, holds } from "@kb/auth";
import { newId, sql } from "@kb/db";
import { z } from "zod";
import { requireAccess } from "../documents/access.ts";
import { findDocument } from "../documents/row.ts";
import { ServiceError } from "../errors.ts";
import { operation, type WriteContext } from "../operation.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { AttachedTo, Attachment, type AttachmentRow, ContentType, FileName, presentAttachment } from "./attachment.ts";
import { type Files, requireFiles } from "./files.ts";

/** How long the address takes the bytes. */
const uploadTtlMs = 60 * 60 * 1000;

/** Where to send the bytes, and how. */
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

/** The first of the two steps of an upload: the address that takes the bytes. */
export const uploadAttachment = operation({
  name: "attachments.upload",
  summary: "Register an attachment for upload",
  description:
    "Then send the bytes by `PUT` to `uploadUrl`, which needs no other credential and takes them once, within an hour, and at most the declared `size`. Their type is checked by their first bytes. After that `attachment.url` serves them to whoever has the address: use it in Markdown.",
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

/** @throws {ServiceError} `payload_too_large` */
export function requireSize(size: number, { maxBytes }: Files): void {
  if (size > maxBytes) throw new ServiceError("payload_too_large", `An attachment has at most ${maxBytes} bytes.`);
}

export type NewAttachment = { name: string; contentType: string; size: number; documentId: string | null };

/** Writes the row of an attachment whose bytes are to come, and the token that lets them in. */
export async function registerAttachment(
  { tx, actor, now }: WriteContext,
  { name, contentType, size, documentId }: NewAttachment,
): Promise<{ row: AttachmentRow; token: string }> {
  requireUploader(actor);
  if (documentId !== null) requireAccess(actor, "edit", await findDocument(tx, actor, documentId));
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
  return { row, token };
}

function requireUploader(actor: Actor): void {
  if (holds(actor, "document.edit") || holds(actor, "document.create")) return;
  throw new ServiceError("forbidden", "This needs the permission `document.edit` or `document.create`.");
}
