import { createHash } from "node:crypto";
import { type Actor, collectionLevel, keyCollectionLevel } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { cursorError, decodeCursor, encodeCursor } from "../schema/cursor.ts";

/** A position in the order of changes: after this time, or after this document of this time. */
export type SyncPosition = { readonly at: Date; readonly id: string | null };

/** The content of a cursor: its position, the time at which it was made, and a hash of its holder's access then. */
export type SyncCursor = { readonly position: SyncPosition; readonly madeAt: Date; readonly access: string };

// `updatedSince` begins with the year 0; PostgreSQL's timestamps begin thousands of years before.
const earliestMs = Date.UTC(-1, 0, 1);

const EncodedCursor = z.strictObject({
  at: z.int().min(earliestMs),
  id: z.uuid().nullable(),
  made: z.int(),
  access: z.string().max(64),
});

/** Returns the cursor as an opaque text. */
export function encodeSyncCursor({ position, madeAt, access }: SyncCursor): string {
  const value: z.input<typeof EncodedCursor> = {
    at: position.at.getTime(),
    id: position.id,
    made: madeAt.getTime(),
    access,
  };
  return encodeCursor(value);
}

/** Reads a cursor. @throws {ServiceError} `validation_error` for a text that `encodeSyncCursor` did not make. */
export function decodeSyncCursor(text: string): SyncCursor {
  const { at, id, made, access } = decodeCursor(EncodedCursor, text);
  const moment = new Date(at);
  const madeAt = new Date(made);
  if (Number.isNaN(moment.getTime()) || Number.isNaN(madeAt.getTime())) throw cursorError();
  return { position: { at: moment, id }, madeAt, access };
}

type AccessRow = { id: string; createdAt: Date; level: string; keyLevel: string | null };

/**
 * Hashes everything that decides the caller's access, as of the cursor (without later collections, or each new one
 * would end every cursor) and as of now, which a new cursor stores as `madeAt`. Different hashes mean that the caller's
 * access has changed.
 */
export async function accessFingerprints(
  reader: Reader,
  actor: Actor,
  then: Date,
  now: Date,
): Promise<{ asOfCursor: string; asOfNow: string; madeAt: Date }> {
  const collections = await reader.rows<AccessRow>(sql`
    SELECT c.id, c."createdAt", ${collectionLevel(actor, "c")} AS level, ${keyCollectionLevel(actor)} AS "keyLevel"
    FROM collections c WHERE c."teamId" = ${actor.teamId}::uuid ORDER BY c.id`);
  const documents = actor.restrictedKeyId === null ? [] : await keyDocuments(reader, actor, actor.restrictedKeyId);
  const { restrictedKeyId } = actor;
  const own = [
    actor.userId,
    restrictedKeyId,
    actor.systemAdmin,
    [...actor.groupIds].sort(),
    [...actor.capabilities].sort(),
    documents,
  ];
  const asOf = (moment: Date): string => {
    const known = collections.filter((collection) => collection.createdAt.getTime() <= moment.getTime());
    const levels = known.map(({ id, level, keyLevel }) => [id, level, keyLevel]);
    return createHash("sha256")
      .update(JSON.stringify([own, levels]))
      .digest("base64url")
      .slice(0, 22);
  };
  // A team's clock may be ahead of ours: the newest collection still counts as known now.
  const madeAt = new Date(Math.max(now.getTime(), ...collections.map((collection) => collection.createdAt.getTime())));
  return { asOfCursor: asOf(then), asOfNow: asOf(madeAt), madeAt };
}

async function keyDocuments(reader: Reader, actor: Actor, keyId: string): Promise<unknown[]> {
  return reader.rows(sql`SELECT k."documentId", k.level FROM api_key_documents k
    WHERE k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${keyId}::uuid ORDER BY k."documentId"`);
}
