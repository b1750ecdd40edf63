import type { Actor } from "@kb/auth";
import { newId, type Stamp, type Tx } from "@kb/db";
import { type EventRow, holdEvents, insertEvents } from "./outbox.ts";

/** The names of all events; subscriptions may also name `*` and `document.*`. */
export const eventTypes = [
  "document.created",
  "document.updated",
  "document.published",
  "document.unpublished",
  "document.moved",
  "document.archived",
  "document.unarchived",
  "document.deleted",
  "document.restored",
  "document.destroyed",
  "collection.created",
  "collection.updated",
  "collection.archived",
  "collection.unarchived",
  "collection.deleted",
  "collection.access_changed",
  "tag.created",
  "tag.updated",
  "tag.deleted",
  "attachment.created",
  "attachment.deleted",
  "app.authorized",
  "app.revoked",
  "api_key.created",
  "api_key.revoked",
  "webhook.test",
  "webhook.disabled",
] as const;

export type EventType = (typeof eventTypes)[number];

/** One thing that happened, with the thin snapshot that subscribers get. */
export type Happening = {
  readonly type: EventType;
  readonly data: { readonly id: string; readonly [fact: string]: string | number | boolean | null | readonly string[] };
  readonly documentId?: string | null;
  readonly collectionId?: string | null;
  /** Of the document as the event leaves it: whoever may not see such a one does not hear of it. */
  readonly createdById?: string | null;
  readonly publishedAt?: Date | null;
  /** It is for one subscriber alone, for whom it is queued already. */
  readonly dispatched?: boolean;
};

const actorTypes = { api_key: "api_key", oauth: "app", session: "user", system: "system" } as const;

/** What events tell of a caller. */
export type Emitter = Pick<Actor, "teamId" | "userId" | "userName" | "credential">;

/** Who did it, as events show it: the user for a session, else the credential. */
function actorOf({ credential, userId, userName }: Emitter) {
  if (credential.kind === "session") return { type: "user", id: userId, name: userName };
  return { type: actorTypes[credential.kind], id: credential.id, name: credential.name };
}

/**
 * Writes events to the outbox in the transaction of their change, and gives their ids; the i-th takes the i-th sequence
 * number from the stamp's. Inside an operation they are written at its end, with its entry in the audit log; one that is
 * dispatched already is written at once, since its delivery refers to it.
 */
export async function emit(
  tx: Tx,
  actor: Emitter,
  stamp: Stamp,
  happenings: readonly Happening[],
): Promise<readonly string[]> {
  const rows = happenings.map((happening, index) => eventRow(actor, stamp, happening, index));
  const later = rows.filter((row) => row.dispatchedAt === null);
  const now = holdEvents(tx, later) ? rows.filter((row) => row.dispatchedAt !== null) : rows;
  if (now.length > 0) await tx.execute(insertEvents(now));
  return rows.map((row) => row.id);
}

function eventRow(actor: Emitter, stamp: Stamp, happening: Happening, index: number): EventRow {
  return {
    teamId: actor.teamId,
    id: newId(),
    sequence: String(stamp.sequence + BigInt(index)),
    type: happening.type,
    at: stamp.at,
    actor: actorOf(actor),
    data: happening.data,
    documentId: happening.documentId ?? null,
    collectionId: happening.collectionId ?? null,
    createdById: happening.createdById ?? null,
    publishedAt: happening.publishedAt ?? null,
    dispatchedAt: happening.dispatched === true ? stamp.at : null,
  };
}
