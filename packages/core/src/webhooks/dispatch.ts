import { type Actor, activeUser } from "@kb/auth";
import { newId, sql, type Tx } from "@kb/db";
import type { Service } from "../operation.ts";
import { audienceOf } from "./audience.ts";
import { listensTo } from "./subscription.ts";

type EventRow = { id: string; type: string; sequence: bigint | number; documentId: string | null };
type SubscriptionRow = { id: string; collectionIds: string[]; events: string[]; createdById: string };

const teamsAtOnce = 50;
const eventsAtOnce = 200;

/**
 * Queues deliveries for the events that no subscriber was told of yet; gives how many events it saw to. Each event once:
 * its mark and its deliveries commit together. A team's events are taken in their order, by one worker at a time.
 */
export async function dispatchEvents(service: Service): Promise<number> {
  const teams = await service.database.acrossTeams.rows<{ teamId: string }>(sql`SELECT DISTINCT "teamId" FROM
    (SELECT "teamId" FROM events WHERE "dispatchedAt" IS NULL ORDER BY at LIMIT ${teamsAtOnce * 10}) AS waiting
    LIMIT ${teamsAtOnce}`);
  let seen = 0;
  for (const { teamId } of teams) {
    seen += await service.database.transaction((tx) => dispatchTeam(tx, teamId, service.clock.now()));
  }
  return seen;
}

async function dispatchTeam(tx: Tx, teamId: string, now: Date): Promise<number> {
  const [lock] = await tx.rows<{ taken: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${`dispatch:${teamId}`}, 0)) AS taken`,
  );
  if (lock?.taken !== true) return 0;
  const events = await tx.rows<EventRow>(sql`SELECT id, type, sequence, "documentId" FROM events
    WHERE "teamId" = ${teamId}::uuid AND "dispatchedAt" IS NULL ORDER BY sequence LIMIT ${eventsAtOnce}`);
  if (events.length === 0) return 0;
  const subscriptions = await tx.rows<SubscriptionRow>(sql`SELECT w.id, w.events, w."createdById",
      ARRAY(SELECT l."collectionId" FROM webhook_collections l
        WHERE l."teamId" = w."teamId" AND l."subscriptionId" = w.id) AS "collectionIds"
    FROM webhook_subscriptions w WHERE w."teamId" = ${teamId}::uuid AND w.enabled ORDER BY w.id`);
  const creators = new Map<string, Actor | null>();
  for (const subscription of subscriptions) {
    const { createdById } = subscription;
    const creator = creators.get(createdById) ?? (await activeUser(tx, teamId, createdById));
    creators.set(createdById, creator);
    if (creator !== null) await enqueue(tx, creator, subscription, events, now);
  }
  await tx.event.updateMany({
    where: { teamId, id: { in: events.map((event) => event.id) } },
    data: { dispatchedAt: now },
  });
  return events.length;
}

async function enqueue(
  tx: Tx,
  creator: Actor,
  subscription: SubscriptionRow,
  events: readonly EventRow[],
  now: Date,
): Promise<void> {
  const listed = events.filter((event) => listensTo(subscription.events, event.type));
  const told = await audienceOf(
    tx,
    creator,
    subscription.collectionIds,
    listed.map((event) => event.id),
  );
  const deliveries = listed.filter((event) => told.has(event.id));
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
