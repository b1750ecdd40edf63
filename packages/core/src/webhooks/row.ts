import type { Actor } from "@kb/auth";
import { type Reader, sql, type Tx } from "@kb/db";
import { requireReadable } from "../collections/readable.ts";
import { notFound, ServiceError } from "../errors.ts";
import { subscriptionColumns, type WebhookRow } from "./subscription.ts";

/** Reads one subscription of the caller's team. @throws {ServiceError} `not_found` */
export async function requireWebhook(reader: Reader, actor: Actor, id: string): Promise<WebhookRow> {
  const [row] = await reader.rows<WebhookRow>(sql`SELECT ${subscriptionColumns} FROM webhook_subscriptions w
    WHERE w."teamId" = ${actor.teamId}::uuid AND w.id = ${id}::uuid`);
  if (row === undefined) throw notFound("Webhook");
  return row;
}

/** Limits a subscription to readable collections; an empty list means all. @throws {ServiceError} `not_found` */
export async function setCollections(
  tx: Tx,
  actor: Actor,
  id: string,
  collectionIds: readonly string[],
): Promise<void> {
  const { teamId } = actor;
  await requireReadable(tx, actor, collectionIds);
  await tx.webhookCollection.deleteMany({ where: { teamId, subscriptionId: id } });
  if (collectionIds.length === 0) return;
  await tx.webhookCollection.createMany({
    data: collectionIds.map((collectionId) => ({ teamId, subscriptionId: id, collectionId })),
  });
}

/** Maximum number of subscriptions per team. */
const maxSubscriptions = 20;

/** Requires a free place below the maximum, under a lock for concurrent calls. @throws {ServiceError} `conflict` */
export async function requireFreeSubscription(tx: Tx, teamId: string): Promise<void> {
  await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`webhooks:${teamId}`}, 0))::text AS "teamId"`);
  const count = await tx.webhookSubscription.count({ where: { teamId } });
  if (count < maxSubscriptions) return;
  throw new ServiceError("conflict", `A team has at most ${maxSubscriptions} webhooks: delete one first.`);
}
