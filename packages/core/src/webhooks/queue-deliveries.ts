import { type Actor, activeUser } from "@kb/auth";
import { newId, sql, type Tx } from "@kb/db";
import type { ChangeBatch, ChangeEvent } from "../changes/consumer.ts";
import { findDefinition } from "../changes/event-types.ts";
import { findVisibleEvents } from "../changes/visible-events.ts";
import { listensTo } from "./subscription.ts";

type SubscriptionRow = { id: string; collectionIds: string[]; events: string[]; createdById: string };

/** Queues a delivery for each subscription that listens to an event and may see it. Consumes the change log. */
export async function queueDeliveries(tx: Tx, { teamId, events, now }: ChangeBatch): Promise<boolean> {
  const fresh = await takeUndispatched(tx, teamId, events, now);
  if (fresh === null) return false;
  const subscribed = fresh.filter((event) => findDefinition(event.type)?.webhooks === "subscribed");
  if (subscribed.length === 0) return true;
  const subscriptions = await tx.rows<SubscriptionRow>(sql`SELECT w.id, w.events, w."createdById",
      ARRAY(SELECT l."collectionId" FROM webhook_collections l
        WHERE l."teamId" = w."teamId" AND l."subscriptionId" = w.id) AS "collectionIds"
    FROM webhook_subscriptions w WHERE w."teamId" = ${teamId}::uuid AND w.enabled ORDER BY w.id`);
  const creators = new Map<string, Actor | null>();
  for (const subscription of subscriptions) {
    const { createdById } = subscription;
    const creator = creators.get(createdById) ?? (await activeUser(tx, teamId, createdById));
    creators.set(createdById, creator);
    if (creator !== null) await queueFor(tx, creator, subscription, subscribed, now);
  }
  return true;
}

/**
 * Marks events as dispatched and returns those that were not marked before. During a rolling update, a worker of the
 * previous release may run too, without cursors. It takes the same lock and reads the same mark, so that only one of
 * them takes each event. Returns null while the other worker holds the lock.
 */
async function takeUndispatched(
  tx: Tx,
  teamId: string,
  events: readonly ChangeEvent[],
  now: Date,
): Promise<ChangeEvent[] | null> {
  const [lock] = await tx.rows<{ taken: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${`dispatch:${teamId}`}, 0)) AS taken`,
  );
  if (lock?.taken !== true) return null;
  const ids = events.map((event) => event.id);
  const sequences = events.map((event) => event.sequence);
  // Found by their range of numbers: without statistics the planner would read all events that are not marked.
  const taken = await tx.rows<{ id: string }>(sql`UPDATE events e SET "dispatchedAt" = ${now}
    WHERE e."teamId" = ${teamId}::uuid AND e.sequence BETWEEN ${sequences[0]} AND ${sequences.at(-1)}
      AND e.id = ANY (${ids}::uuid[]) AND e."dispatchedAt" IS NULL RETURNING e.id`);
  const fresh = new Set(taken.map(({ id }) => id));
  return events.filter((event) => fresh.has(event.id));
}

async function queueFor(
  tx: Tx,
  creator: Actor,
  subscription: SubscriptionRow,
  events: readonly ChangeEvent[],
  now: Date,
): Promise<void> {
  const listed = events.filter((event) => listensTo(subscription.events, event.type));
  const ids = listed.map((event) => event.id);
  const visible = await findVisibleEvents(tx, creator, ids, subscription.collectionIds);
  const deliveries = listed.filter((event) => visible.has(event.id));
  if (deliveries.length === 0) return;
  await tx.webhookDelivery.createMany({
    data: deliveries.map(({ id, sequence, documentId }) => ({
      teamId: creator.teamId,
      id: newId(),
      subscriptionId: subscription.id,
      eventId: id,
      documentId,
      sequence: BigInt(sequence),
      nextAttemptAt: now,
      createdAt: now,
    })),
  });
}
