import { randomBytes, timingSafeEqual } from "node:crypto";
import { hashToken } from "@kb/auth";
import { isUuid, type Sql, sql } from "@kb/db";
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
 * @throws {ServiceError} `invalid_token`, `conflict` for a second upload, also at the same time, or an import that was stopped, `payload_too_large`,
 * `unsupported_media_type`, `validation_error` for bytes that end early, `unavailable` when they cannot be stored.
 */
export async function receiveImport(service: Service, upload: Upload): Promise<{ id: string; status: "queued" }> {
  const row = await findWaiting(service, upload);
  const limit = Number(row.size);
  if (upload.length !== undefined && upload.length > limit) throw tooLarge(limit);
  const turn = await beginReceiving(service, row);
  try {
    return await receive(service, upload, row, turn);
  } finally {
    await turn.end();
  }
}

async function receive(
  service: Service,
  { body }: Upload,
  row: Waiting,
  turn: Receiving,
): Promise<{ id: string; status: "queued" }> {
  const { store } = requireFiles(service);
  const { head, whole, source } = await openBytes(body, Number(row.size));
  if (head.byteLength === 0) throw new ServiceError("validation_error", "The body is empty.");
  requireType(/\.zip$/i.test(row.name) ? "application/zip" : "text/markdown", await detectType(head));
  const key = `${storagePrefixOf(row)}/${randomBytes(9).toString("base64url")}`;
  try {
    await store.put(key, turn.during(whole), "application/octet-stream");
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw (
      source.failure ?? new ServiceError("unavailable", "The file cannot be stored at the moment.", { cause: error })
    );
  }
  const queued = await service.database.execute(sql`UPDATE imports i SET status = 'queued', "storageKey" = ${key},
    size = ${source.size}::bigint, "queuedAt" = ${service.clock.now()}, "receivingUntil" = NULL
    WHERE ${ofWaiting(row)}`);
  if (queued === 0) {
    await store.removeBelow(key);
    throw alreadyReceived();
  }
  return { id: row.id, status: "queued" };
}

const ofWaiting = ({ teamId, id }: Waiting): Sql =>
  sql`i."teamId" = ${teamId}::uuid AND i.id = ${id}::uuid AND i.status = 'waiting'`;

/** The time for which an upload that stands still keeps others of the same file out. */
const receivingMs = 60_000;

/** The only upload of a file that goes on. */
type Receiving = {
  /** Passes bytes on, and keeps the turn while they arrive. @throws {ServiceError} `conflict` once another upload has it */
  during(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  end(): Promise<void>;
};

/** Begins the upload of a file: many at once would store it many times. @throws {ServiceError} `conflict` */
async function beginReceiving({ database, clock }: Service, row: Waiting): Promise<Receiving> {
  let until = new Date(clock.now().getTime() + receivingMs);
  const renew = async (isOwn: Sql): Promise<boolean> => {
    const next = new Date(clock.now().getTime() + receivingMs);
    const renewed = await database.execute(
      sql`UPDATE imports i SET "receivingUntil" = ${next} WHERE ${ofWaiting(row)} AND ${isOwn}`,
    );
    until = next;
    return renewed > 0;
  };
  if (!(await renew(sql`(i."receivingUntil" IS NULL OR i."receivingUntil" <= ${clock.now()})`))) throw beingReceived();
  return {
    during: async function* (bytes) {
      for await (const chunk of bytes) {
        const isDue = until.getTime() - clock.now().getTime() < receivingMs / 2;
        if (isDue && !(await renew(sql`i."receivingUntil" = ${until}`))) throw beingReceived();
        yield chunk;
      }
    },
    end: async () => {
      await database.execute(
        sql`UPDATE imports i SET "receivingUntil" = NULL WHERE ${ofWaiting(row)} AND i."receivingUntil" = ${until}`,
      );
    },
  };
}

const beingReceived = (): ServiceError =>
  new ServiceError("conflict", "This file is being sent already, or the import was stopped. Try again in a minute.");

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
