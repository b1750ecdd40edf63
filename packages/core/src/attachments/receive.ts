import { randomBytes, timingSafeEqual } from "node:crypto";
import { type Actor, hashToken } from "@kb/auth";
import { isUuid, sql, stampChange, type Tx } from "@kb/db";
import type { z } from "zod";
import type { Service } from "../context.ts";
import { documentUrl } from "../documents/row.ts";
import { ServiceError } from "../errors.ts";
import type { DomainEvent, Emitter } from "../events.ts";
import { transactionWithOutbox } from "../outbox.ts";
import { type Attachment, type AttachmentRow, presentAttachment } from "./attachment.ts";
import { requireFiles } from "./files.ts";
import { detectType, requireType } from "./media-type.ts";
import { openBytes, tooLarge } from "./open-bytes.ts";

/** A request to the address of an upload. */
export type Upload = {
  readonly id: string;
  readonly token: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** The declared length in bytes, if any. */
  readonly length: number | undefined;
};

type Pending = AttachmentRow & {
  teamId: string;
  uploadHash: Uint8Array;
  uploadExpiresAt: Date;
  userName: string | null;
};

/**
 * Receives the bytes of an upload, the second of its two steps. A failed upload may be repeated while the address is
 * valid.
 * @throws {ServiceError} `invalid_token`, `conflict` for a second upload, `payload_too_large`,
 * `unsupported_media_type`, `validation_error` for bytes that end early, `unavailable` when they cannot be stored.
 */
export async function receiveUpload(service: Service, upload: Upload): Promise<z.input<typeof Attachment>> {
  const row = await findPending(service, upload);
  const { teamId, userName } = row;
  const name = userName ?? "";
  const uploader = {
    teamId,
    userId: row.createdById ?? "",
    userName: name,
    credential: session(row.createdById, name),
  };
  return storeBytes(service, uploader, row, upload.body, upload.length);
}

/** The holder of the address counts as the user who received it. */
const session = (id: string | null, name: string): Actor["credential"] => ({ kind: "session", id: id ?? "", name });

async function findPending(service: Service, { id, token }: Upload): Promise<Pending> {
  // The address does not name the team; the row does.
  const [row] = isUuid(id)
    ? await service.database.beforeTeam.rows<Pending>(sql`
        SELECT a."teamId", a.id, a."publicId", a.name, a."contentType", a.size, a."documentId", a."createdById", a.status,
          a."createdAt", a."uploadHash", a."uploadExpiresAt", u.name AS "userName"
        FROM attachments a LEFT JOIN users u ON u."teamId" = a."teamId" AND u.id = a."createdById"
        WHERE a.id = ${id}::uuid AND a."uploadHash" IS NOT NULL AND u."suspendedAt" IS NULL`)
    : [];
  if (row === undefined || !timingSafeEqual(row.uploadHash, hashToken(token))) {
    throw new ServiceError("invalid_token", "This upload address is not valid.");
  }
  if (row.status === "ready") throw alreadyUploaded();
  if (row.uploadExpiresAt <= service.clock.now()) {
    throw new ServiceError("invalid_token", "This upload address has expired. Register the attachment again.");
  }
  return row;
}

const alreadyUploaded = (): ServiceError =>
  new ServiceError("conflict", "This attachment has already been uploaded. An upload address works once.");

/**
 * Checks and stores the bytes of a pending attachment and marks it as ready. Of several concurrent uploads exactly one
 * succeeds.
 */
export async function storeBytes(
  service: Service,
  uploader: Emitter,
  row: AttachmentRow,
  body: AsyncIterable<Uint8Array>,
  length?: number,
): Promise<z.input<typeof Attachment>> {
  const { store } = requireFiles(service);
  const limit = Number(row.size);
  if (length !== undefined && length > limit) throw tooLarge(limit);
  const { head, whole, source } = await openBytes(body, limit);
  if (head.byteLength === 0) throw new ServiceError("validation_error", "The body is empty.");
  requireType(row.contentType, await detectType(head));
  // Each attempt has its own place, so that a second one overwrites nothing.
  const place = `${uploader.teamId}/${row.publicId}`;
  const key = `${place}/${randomBytes(9).toString("base64url")}`;
  try {
    await store.put(key, whole, row.contentType);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw (
      source.failure ?? new ServiceError("unavailable", "The file cannot be stored at the moment.", { cause: error })
    );
  }
  const size = source.size;
  if (!(await markReady(service, uploader, row, { key, size }))) {
    await store.removeBelow(key);
    throw alreadyUploaded();
  }
  return presentAttachment({ ...row, size, status: "ready" }, service.appUrl);
}

async function markReady(
  service: Service,
  uploader: Emitter,
  row: AttachmentRow,
  { key, size }: { key: string; size: number },
): Promise<boolean> {
  const { database, clock, appUrl } = service;
  const { teamId } = uploader;
  return transactionWithOutbox(database, uploader, async (tx, outbox) => {
    const [updated] = await tx.rows<{ documentId: string | null }>(sql`
      UPDATE attachments a SET status = 'ready', "storageKey" = ${key}, size = ${size}::bigint
      WHERE a."teamId" = ${teamId}::uuid AND a.id = ${row.id}::uuid AND a.status = 'pending' RETURNING a."documentId"`);
    if (updated === undefined) return false;
    const document = await documentOf(tx, teamId, updated.documentId);
    const stamp = await stampChange(tx, teamId, clock.now());
    outbox.emit(stamp, [createdEvent(row, document, appUrl)]);
    const { userId, credential } = uploader;
    outbox.audit([
      {
        teamId,
        at: stamp.at,
        userId: userId === "" ? null : userId,
        credential,
        action: "attachments.receive",
        outcome: "success",
        target: { type: "attachment", id: row.id },
      },
    ]);
    return true;
  });
}

type DocumentOf = {
  documentId: string;
  collectionId: string | null;
  createdById: string | null;
  publishedAt: Date | null;
};

async function documentOf(tx: Tx, teamId: string, documentId: string | null): Promise<DocumentOf | undefined> {
  if (documentId === null) return undefined;
  const [document] = await tx.rows<DocumentOf>(sql`
    SELECT d.id AS "documentId", d."collectionId", d."createdById", d."publishedAt" FROM documents d
    WHERE d."teamId" = ${teamId}::uuid AND d.id = ${documentId}::uuid`);
  return document;
}

/** Leaves out the public address: a subscriber may receive the event without being allowed to see the bytes. */
function createdEvent(row: AttachmentRow, document: DocumentOf | undefined, appUrl: string): DomainEvent {
  const { id, name: title } = row;
  const data = { id, title, documentId: null, collectionId: null };
  if (document === undefined) return { type: "attachment.created", data };
  const { documentId, collectionId } = document;
  const place = { documentId, collectionId, url: documentUrl(appUrl, documentId) };
  return { type: "attachment.created", ...document, data: { ...data, ...place } };
}
