import { type ActorRow, activeUserOf, actorColumns, type Sealer } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { timestamp } from "../schema/text.ts";
import { audienceOf, type Told } from "./audience.ts";
import type { ClaimedDelivery } from "./claim.ts";

/** What one delivery sends, and by which secrets it is signed. */
export type Message = {
  readonly url: string;
  /** The event's id: the same in every attempt and every redelivery. */
  readonly id: string;
  readonly body: string;
  /** The secrets that are valid now, the newest first; null where they were sealed under another `APP_SECRET`. */
  readonly secrets: readonly Uint8Array[] | null;
};

type Row = ActorRow & {
  deliveryId: string;
  suspendedAt: Date | null;
  url: string;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousSecretUntil: Date | null;
  collectionIds: string[];
  id: string;
  type: string;
  at: Date;
  sequence: number | bigint;
  actor: unknown;
  data: Record<string, unknown>;
};

/**
 * Reads what deliveries say, by their ids, and asks once more whether their subscribers may hear it: between the event and a
 * late attempt access may have ended. What must not be told any more is left out.
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
      const told = await toldOf(reader, alike);
      for (const row of alike) {
        const extent = told.get(row.id);
        if (extent !== undefined) messages.set(row.deliveryId, messageOf(row, extent, sealer, now));
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

/** Of rows with one creator and one narrowing. */
async function toldOf(reader: Reader, rows: readonly Row[]): Promise<ReadonlyMap<string, Told>> {
  const [first] = rows;
  if (first === undefined) return new Map();
  const events = [...new Set(rows.map((row) => row.id))];
  return audienceOf(reader, activeUserOf(first), first.collectionIds, events);
}

function messageOf(row: Row, told: Told, sealer: Sealer, now: Date): Message {
  return { url: row.url, id: row.id, body: JSON.stringify(payload(row, told)), secrets: secretsOf(row, sealer, now) };
}

function secretsOf(row: Row, sealer: Sealer, now: Date): Uint8Array[] | null {
  const newest = opened(row.secret, sealer);
  if (newest === null) return null;
  const overlaps = row.previousSecretUntil !== null && row.previousSecretUntil > now;
  const previous = overlaps && row.previousSecret !== null ? opened(row.previousSecret, sealer) : null;
  return previous === null ? [newest] : [newest, previous];
}

/** One webhook whose secret is lost must not keep the others waiting. */
function opened(sealed: Uint8Array, sealer: Sealer): Uint8Array | null {
  try {
    return sealer.open(sealed);
  } catch {
    return null;
  }
}

/** The thin payload: a snapshot at commit. Of a document that left the subscriber's sight, only which one it was. */
function payload({ id, type, at, teamId, sequence, actor, data }: Row, told: Told): object {
  return {
    ...{ id, type, timestamp: timestamp(at), teamId, sequence: Number(sequence), actor },
    data: told === "whole" ? data : { id: data.id },
  };
}
