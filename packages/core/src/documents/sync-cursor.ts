import { createHash } from "node:crypto";
import { type Actor, collectionLevel, keyCollectionLevel } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { foreignCursor, opened, sealed } from "../schema/cursor.ts";

/** A place in the order of changes: after this moment, or after this document of this moment. */
export type SyncPosition = { readonly at: Date; readonly id: string | null };

/** What a cursor carries: where it stands, when it was made, and what its holder could see then. */
export type SyncCursor = { readonly position: SyncPosition; readonly madeAt: Date; readonly access: string };

// `updatedSince` begins with the year 0; PostgreSQL's time some thousands of years before.
const earliestMs = Date.UTC(-1, 0, 1);

const Sealed = z.strictObject({
  at: z.int().min(earliestMs),
  id: z.uuid().nullable(),
  made: z.int(),
  access: z.string().max(64),
});

/** The cursor as an opaque text. */
export function sealCursor({ position, madeAt, access }: SyncCursor): string {
  const value: z.input<typeof Sealed> = { at: position.at.getTime(), id: position.id, made: madeAt.getTime(), access };
  return sealed(value);
}

/** @throws {ServiceError} `validation_error` for a text that `sealCursor` did not make. */
export function openCursor(text: string): SyncCursor {
  const { at, id, made, access } = opened(Sealed, text);
  const [moment, madeAt] = [new Date(at), new Date(made)];
  if (Number.isNaN(moment.getTime()) || Number.isNaN(madeAt.getTime())) throw foreignCursor();
  return { position: { at: moment, id }, madeAt, access };
}

type AccessRow = { id: string; createdAt: Date; level: string; keyLevel: string | null };

/**
 * What decides the caller's sight, as a hash: once as of `then` (collections made later left out, or making one would end
 * every cursor), once as of now, which a new cursor notes as `madeAt`. Two that differ mean that the caller's own access
 * was changed in between.
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
  // A team's clock may run ahead of ours: the newest collection belongs to what is known now all the same.
  const madeAt = new Date(Math.max(now.getTime(), ...collections.map((collection) => collection.createdAt.getTime())));
  return { asOfCursor: asOf(then), asOfNow: asOf(madeAt), madeAt };
}

async function keyDocuments(reader: Reader, actor: Actor, keyId: string): Promise<unknown[]> {
  return reader.rows(sql`SELECT k."documentId", k.level FROM api_key_documents k
    WHERE k."teamId" = ${actor.teamId}::uuid AND k."apiKeyId" = ${keyId}::uuid ORDER BY k."documentId"`);
}
