import { type ActorRow, activeUserOf, actorColumns, type Sealer } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { type EventView, presentEvent } from "../changes/present-event.ts";
import { findVisibleEvents, type Visibility } from "../changes/visible-events.ts";
import type { ClaimedDelivery } from "./claim.ts";

/** The content of one delivery, and the secrets that sign it. */
export type Message = {
  readonly url: string;
  /** The event's id: the same in every attempt and every redelivery. */
  readonly id: string;
  readonly body: string;
  /** The currently valid secrets, newest first; null if they were sealed under another `APP_SECRET`. */
  readonly secrets: readonly Uint8Array[] | null;
};

type Row = ActorRow &
  EventView & {
    deliveryId: string;
    suspendedAt: Date | null;
    url: string;
    secret: Uint8Array;
    previousSecret: Uint8Array | null;
    previousSecretUntil: Date | null;
    collectionIds: string[];
  };

/**
 * Reads the messages of deliveries, by delivery id. Checks again that the subscribers may see the events, because access
 * may have ended before a late attempt. Omits the messages that the subscriber may no longer see.
 */
export async function messagesOf(
  reader: Reader,
  sealer: Sealer,
  deliveries: readonly ClaimedDelivery[],
  now: Date,
): Promise<Map<string, Message>> {
  const messages = new Map<string, Message>();
  for (const [teamId, ofTeam] of Map.groupBy(deliveries, (delivery) => delivery.teamId)) {
    const ids = ofTeam.map((delivery) => delivery.id);
    const rows = (await rowsOf(reader, teamId, ids)).filter((row) => row.suspendedAt === null);
    for (const alike of Map.groupBy(rows, (row) => `${row.userId} ${row.collectionIds.join()}`).values()) {
      const visible = await visibleOf(reader, alike);
      for (const row of alike) {
        const visibility = visible.get(row.id);
        if (visibility !== undefined) messages.set(row.deliveryId, messageOf(row, visibility, sealer, now));
      }
    }
  }
  return messages;
}

function rowsOf(reader: Reader, teamId: string, ids: readonly string[]): Promise<Row[]> {
  return reader.rows<Row>(sql`
    SELECT d.id AS "deliveryId", w.url, w.secret, w."previousSecret", w."previousSecretUntil", u."suspendedAt",
      ${actorColumns}, ARRAY(SELECT l."collectionId" FROM webhook_collections l
        WHERE l."teamId" = w."teamId" AND l."subscriptionId" = w.id ORDER BY l."collectionId") AS "collectionIds",
      e.id, e.type, e.at, e.sequence, e.actor, e.data
    FROM webhook_deliveries d
    JOIN webhook_subscriptions w ON w."teamId" = d."teamId" AND w.id = d."subscriptionId"
    JOIN users u ON u."teamId" = w."teamId" AND u.id = w."createdById"
    JOIN events e ON e."teamId" = d."teamId" AND e.id = d."eventId"
    WHERE d."teamId" = ${teamId}::uuid AND d.id = ANY(${ids}::uuid[])`);
}

/** Finds the visible events of rows with the same creator and the same collections. */
async function visibleOf(reader: Reader, rows: readonly Row[]): Promise<ReadonlyMap<string, Visibility>> {
  const [first] = rows;
  if (first === undefined) return new Map();
  const events = [...new Set(rows.map((row) => row.id))];
  return findVisibleEvents(reader, activeUserOf(first), events, first.collectionIds);
}

function messageOf(row: Row, visibility: Visibility, sealer: Sealer, now: Date): Message {
  const body = JSON.stringify(presentEvent(row, visibility));
  return { url: row.url, id: row.id, body, secrets: secretsOf(row, sealer, now) };
}

function secretsOf(row: Row, sealer: Sealer, now: Date): Uint8Array[] | null {
  const newest = openSecret(row.secret, sealer);
  if (newest === null) return null;
  const overlaps = row.previousSecretUntil !== null && row.previousSecretUntil > now;
  const previous = overlaps && row.previousSecret !== null ? openSecret(row.previousSecret, sealer) : null;
  return previous === null ? [newest] : [newest, previous];
}

/** Returns the secret; null if it cannot be opened, so that one webhook does not block the others. */
function openSecret(sealed: Uint8Array, sealer: Sealer): Uint8Array | null {
  try {
    return sealer.open(sealed);
  } catch {
    return null;
  }
}
