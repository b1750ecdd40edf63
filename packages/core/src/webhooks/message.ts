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
  /** The secrets that are valid now, the newest first. */
  readonly secrets: readonly Uint8Array[];
};

type Row = ActorRow & {
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
 * Reads what a delivery says, and asks once more whether its subscriber may hear it: between the event and a late attempt
 * access may have ended. Null for what must not be told any more.
 */
export async function messageOf(
  reader: Reader,
  sealer: Sealer,
  { teamId, id, subscriptionId }: ClaimedDelivery,
  now: Date,
): Promise<Message | null> {
  const [row] = await reader.rows<Row>(sql`
    SELECT w.url, w.secret, w."previousSecret", w."previousSecretUntil", u."suspendedAt", ${actorColumns},
      ARRAY(SELECT l."collectionId" FROM webhook_collections l
        WHERE l."teamId" = w."teamId" AND l."subscriptionId" = w.id) AS "collectionIds",
      e.id, e.type, e.at, e.sequence, e.actor, e.data
    FROM webhook_deliveries d
    JOIN webhook_subscriptions w ON w."teamId" = d."teamId" AND w.id = d."subscriptionId"
    JOIN users u ON u."teamId" = w."teamId" AND u.id = w."createdById"
    JOIN events e ON e."teamId" = d."teamId" AND e.id = d."eventId"
    WHERE d."teamId" = ${teamId}::uuid AND d.id = ${id}::uuid`);
  if (row === undefined || row.suspendedAt !== null) return null;
  const creator = activeUserOf(row);
  const narrowing = { id: subscriptionId, collectionIds: row.collectionIds };
  const told = (await audienceOf(reader, creator, narrowing, [row.id])).get(row.id);
  if (told === undefined) return null;
  const overlap = row.previousSecretUntil !== null && row.previousSecretUntil > now ? row.previousSecret : null;
  return {
    url: row.url,
    id: row.id,
    body: JSON.stringify(payload(teamId, row, told)),
    secrets: [row.secret, ...(overlap === null ? [] : [overlap])].map((sealed) => sealer.open(sealed)),
  };
}

/** The thin payload: a snapshot at commit. Of a document that left the subscriber's sight, only which one it was. */
function payload(teamId: string, row: Row, told: Told): object {
  const { id, type, at, sequence, actor, data } = row;
  return {
    ...{ id, type, timestamp: timestamp(at), teamId, sequence: Number(sequence), actor },
    data: told === "whole" ? data : { id: data.id },
  };
}
