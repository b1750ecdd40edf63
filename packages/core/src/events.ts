import type { Actor } from "@kb/auth";
import { newId, type Stamp, type Tx } from "@kb/db";

/** The names of events that this release emits; subscriptions may also name `*` and `document.*`. */
export type EventType =
  | `document.${"created" | "updated" | "published" | "unpublished" | "moved" | "archived" | "unarchived" | "deleted" | "restored" | "destroyed"}`
  | `collection.${"created" | "updated" | "archived" | "unarchived" | "deleted" | "access_changed"}`
  | `tag.${"created" | "updated" | "deleted"}`
  | `api_key.${"created" | "revoked"}`;

/** One thing that happened, with the thin snapshot that subscribers get. */
export type Happening = {
  readonly type: EventType;
  readonly data: { readonly id: string; readonly [fact: string]: string | number | null | readonly string[] };
  readonly documentId?: string | null;
  readonly collectionId?: string | null;
};

const actorTypes = { api_key: "api_key", oauth: "app", session: "user", system: "system" } as const;

/** Who did it, as events show it: the user for a session, else the credential. */
function actorOf({ credential, userId, userName }: Actor) {
  if (credential.kind === "session") return { type: "user", id: userId, name: userName };
  return { type: actorTypes[credential.kind], id: credential.id, name: credential.name };
}

/** Writes events to the outbox in the transaction of their change; the i-th takes the i-th sequence number from the stamp's. */
export async function emit(tx: Tx, actor: Actor, stamp: Stamp, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return;
  await tx.event.createMany({
    data: happenings.map((happening, index) => ({
      teamId: actor.teamId,
      id: newId(),
      sequence: stamp.sequence + BigInt(index),
      type: happening.type,
      at: stamp.at,
      actor: actorOf(actor),
      data: happening.data,
      documentId: happening.documentId ?? null,
      collectionId: happening.collectionId ?? null,
    })),
  });
}
