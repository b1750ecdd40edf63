import type { Actor } from "@kb/auth";
import { newId, type Reader, type Sql, sql, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import { changeChannel } from "../changes/channel.ts";
import { invalid, notFound } from "../errors.ts";
import { operation, query } from "../operation.ts";
import { writeDispatchedEvent } from "../outbox.ts";
import { Limit } from "../schema/paging.ts";
import { Id, Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";
import { requireWebhook } from "./row.ts";
import type { WebhookRow } from "./subscription.ts";

/** The delivery of one event to one address, with its result. */
export const WebhookDelivery = z
  .object({
    id: z.uuid(),
    webhookId: z.uuid(),
    eventId: z.uuid(),
    type: z.string(),
    status: z.enum(["pending", "delivered", "failed"]),
    attempts: z.int(),
    nextAttemptAt: Timestamp.nullable(),
    /** The status of the last response; null if there was none. */
    responseStatus: z.int().nullable(),
    /** The first 2 kB of the last response, or the reason why there was none. */
    responseBody: z.string().nullable(),
    latencyMs: z.int().nullable(),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "WebhookDelivery" });

type DeliveryRow = Omit<z.input<typeof WebhookDelivery>, "nextAttemptAt" | "createdAt" | "finishedAt"> & {
  nextAttemptAt: Date;
  createdAt: Date;
  finishedAt: Date | null;
};

const columns: Sql = sql`d.id, d."subscriptionId" AS "webhookId", d."eventId", e.type, d.status, d.attempts,
  d."nextAttemptAt", d."responseStatus", d."responseBody", d."latencyMs", d."createdAt", d."finishedAt"`;

const from: Sql = sql`webhook_deliveries d JOIN events e ON e."teamId" = d."teamId" AND e.id = d."eventId"`;

function present({ nextAttemptAt, createdAt, finishedAt, ...row }: DeliveryRow): z.input<typeof WebhookDelivery> {
  return {
    ...row,
    nextAttemptAt: row.status === "pending" ? timestamp(nextAttemptAt) : null,
    createdAt: timestamp(createdAt),
    finishedAt: timestampOrNull(finishedAt),
  };
}

async function findDelivery(reader: Reader, actor: Actor, id: string): Promise<DeliveryRow> {
  const [row] = await reader.rows<DeliveryRow>(sql`SELECT ${columns} FROM ${from}
    WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid`);
  if (row === undefined) throw notFound("Delivery");
  return row;
}

// Literals, not parameters: a generic plan would scan all delivered rows to find the failed ones.
const statusConditions = {
  pending: sql`AND d.status = 'pending'`,
  delivered: sql`AND d.status = 'delivered'`,
  failed: sql`AND d.status = 'failed'`,
};

const inApp = { capability: "developer.webhooks", sessionOnly: true } as const;

export const listDeliveries = query({
  name: "webhooks.deliveries",
  summary: "List the deliveries of a webhook, newest first",
  description: "Kept for 30 days. `before` is the id of the last delivery of the page before.",
  scope: "read",
  ...inApp,
  input: z.strictObject({
    id: Id,
    status: z.enum(["pending", "delivered", "failed"]).optional(),
    limit: Limit,
    before: Id.optional(),
  }),
  output: z.object({ data: z.array(WebhookDelivery), hasMore: z.boolean() }),
  async run({ reader, actor }, { id, status, limit, before }) {
    await requireWebhook(reader, actor, id);
    // Ids are ordered by time, so the id is both the sort key and the cursor.
    const rows = await reader.rows<DeliveryRow>(sql`SELECT ${columns} FROM ${from}
      WHERE d."teamId" = ${actor.teamId}::uuid AND d."subscriptionId" = ${id}::uuid
        ${status === undefined ? sql`` : statusConditions[status]}
        ${before === undefined ? sql`` : sql`AND d.id < ${before}::uuid`}
      ORDER BY d.id DESC LIMIT ${limit + 1}`);
    return { data: rows.slice(0, limit).map(present), hasMore: rows.length > limit };
  },
});

/** Queues an event for only one subscription, independently of other deliveries, and wakes the workers after the commit. */
async function enqueue(
  tx: Tx,
  { teamId }: Actor,
  delivery: { subscriptionId: string; eventId: string; sequence: bigint; now: Date },
): Promise<string> {
  const id = newId();
  const { now, ...about } = delivery;
  await tx.webhookDelivery.create({ data: { teamId, id, ...about, nextAttemptAt: now, createdAt: now } });
  tx.announce({ channel: changeChannel, payload: teamId });
  return id;
}

/** Requires an enabled webhook, because a disabled one gets no delivery. @throws {ServiceError} `validation_error` */
function requireEnabled(webhook: WebhookRow): WebhookRow {
  if (webhook.enabled) return webhook;
  throw invalid("id", "This webhook is switched off: switch it on first");
}

export const testWebhook = operation({
  name: "webhooks.test",
  summary: "Send a webhook a test event",
  description: "It goes to this webhook only, whatever events it names. `webhooks.deliveries` shows the result.",
  scope: "write",
  ...inApp,
  input: z.strictObject({ id: Id }),
  output: WebhookDelivery,
  async run({ tx, actor, now }, { id }) {
    const webhook = requireEnabled(await requireWebhook(tx, actor, id));
    const stamp = await stampChange(tx, actor.teamId, now);
    const event = { type: "webhook.test", data: { id, url: webhook.url } } as const;
    const eventId = await writeDispatchedEvent(tx, actor, stamp, event);
    const delivery = { subscriptionId: id, eventId, sequence: stamp.sequence, now };
    return present(await findDelivery(tx, actor, await enqueue(tx, actor, delivery)));
  },
});

export const redeliver = operation({
  name: "webhooks.redeliver",
  summary: "Send a delivery again",
  description: "A new delivery of the same event, with the same `webhook-id`; the old one stays in the log.",
  scope: "write",
  ...inApp,
  input: z.strictObject({ id: Id }),
  output: WebhookDelivery,
  async run({ tx, actor, now }, { id }) {
    const where = { teamId_id: { teamId: actor.teamId, id } };
    const select = { subscriptionId: true, eventId: true, sequence: true };
    const old = await tx.webhookDelivery.findUnique({ where, select });
    if (old === null) throw notFound("Delivery");
    requireEnabled(await requireWebhook(tx, actor, old.subscriptionId));
    return present(await findDelivery(tx, actor, await enqueue(tx, actor, { ...old, now })));
  },
});
