import { randomBytes, timingSafeEqual } from "node:crypto";
import { hashToken } from "@kb/auth";
import { isUuid, sql } from "@kb/db";
import { requireFiles } from "../attachments/files.ts";
import { detectType, requireType } from "../attachments/media-type.ts";
import { openBytes, tooLarge } from "../attachments/open-bytes.ts";
import type { Upload } from "../attachments/receive.ts";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";

type Waiting = {
  teamId: string;
  id: string;
  name: string;
  size: bigint;
  status: string;
  uploadHash: Uint8Array;
  uploadExpiresAt: Date;
};

/**
 * Receives the file of an import and queues the import. A failed upload may be repeated while the address is valid.
 * @throws {ServiceError} `invalid_token`, `conflict` for a second upload or an import that was stopped, `payload_too_large`,
 * `unsupported_media_type`, `validation_error` for bytes that end early, `unavailable` when they cannot be stored.
 */
export async function receiveImport(service: Service, upload: Upload): Promise<{ id: string; status: "queued" }> {
  const row = await findWaiting(service, upload);
  const { store } = requireFiles(service);
  const limit = Number(row.size);
  if (upload.length !== undefined && upload.length > limit) throw tooLarge(limit);
  const { head, whole, source } = await openBytes(upload.body, limit);
  if (head.byteLength === 0) throw new ServiceError("validation_error", "The body is empty.");
  requireType(/\.zip$/i.test(row.name) ? "application/zip" : "text/markdown", await detectType(head));
  const key = `${storagePrefixOf(row)}/${randomBytes(9).toString("base64url")}`;
  try {
    await store.put(key, whole, "application/octet-stream");
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw (
      source.failure ?? new ServiceError("unavailable", "The file cannot be stored at the moment.", { cause: error })
    );
  }
  const queued = await service.database.execute(sql`UPDATE imports SET status = 'queued', "storageKey" = ${key},
    size = ${source.size}::bigint WHERE "teamId" = ${row.teamId}::uuid AND id = ${row.id}::uuid AND status = 'waiting'`);
  if (queued === 0) {
    await store.removeBelow(key);
    throw alreadyReceived();
  }
  return { id: row.id, status: "queued" };
}

/** Returns where the store keeps the file of an import. */
export const storagePrefixOf = ({ teamId, id }: { readonly teamId: string; readonly id: string }): string =>
  `${teamId}/imports/${id}`;

async function findWaiting(service: Service, { id, token }: Upload): Promise<Waiting> {
  // The address does not name the team; the row does.
  const [row] = isUuid(id)
    ? await service.database.beforeTeam.rows<Waiting>(sql`
        SELECT i."teamId", i.id, i.name, i.size, i.status, i."uploadHash", i."uploadExpiresAt"
        FROM imports i JOIN users u ON u."teamId" = i."teamId" AND u.id = i."userId"
        WHERE i.id = ${id}::uuid AND u."suspendedAt" IS NULL`)
    : [];
  if (row === undefined || !timingSafeEqual(row.uploadHash, hashToken(token))) {
    throw new ServiceError("invalid_token", "This upload address is not valid.");
  }
  if (row.status !== "waiting") throw alreadyReceived();
  if (row.uploadExpiresAt <= service.clock.now()) {
    throw new ServiceError("invalid_token", "This upload address has expired. Begin the import again.");
  }
  return row;
}

const alreadyReceived = (): ServiceError =>
  new ServiceError("conflict", "This import takes no file: it has one already, or it was stopped.");
