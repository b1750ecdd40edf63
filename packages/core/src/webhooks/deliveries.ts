import type { Actor } from "@kb/auth";
import { newId, type Reader, type Sql, sql, stampChange } from "@kb/db";
import { z } from "zod";
import { invalid, notFound } from "../errors.ts";
import { emit } from "../events.ts";
import { operation, query } from "../operation.ts";
import { Limit } from "../schema/paging.ts";
import { Id, Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";
import { requireWebhook } from "./row.ts";
import type { WebhookRow } from "./subscription.ts";

/** One event on its way to one address, with what came of it. */
export const WebhookDelivery = z
  .object({
    id: z.uuid(),
    webhookId: z.uuid(),
    eventId: z.uuid(),
    type: z.string(),
    status: z.enum(["pending", "delivered", "failed"]),
    attempts: z.int(),
    nextAttemptAt: Timestamp.nullable(),
    /** Of the last answer; null where there was none. */
    responseStatus: z.int().nullable(),
    /** The first 2 kB of the last answer, or why there was none. */
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

// Spelled out in the text: a plan for any status would walk past all that were delivered to find those that failed.
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
    // Ids are made in the order of time, so that they are the order and the cursor at once.
    const rows = await reader.rows<DeliveryRow>(sql`SELECT ${columns} FROM ${from}
      WHERE d."teamId" = ${actor.teamId}::uuid AND d."subscriptionId" = ${id}::uuid
        ${status === undefined ? sql`` : statusConditions[status]}
        ${before === undefined ? sql`` : sql`AND d.id < ${before}::uuid`}
      ORDER BY d.id DESC LIMIT ${limit + 1}`);
    return { data: rows.slice(0, limit).map(present), hasMore: rows.length > limit };
  },
});

/** Queues an event for one subscription alone, in no order with others. */
async function enqueue(
  tx: Parameters<typeof stampChange>[0],
  actor: Actor,
  delivery: { subscriptionId: string; eventId: string; sequence: bigint; now: Date },
): Promise<string> {
  const id = newId();
  const { now, ...about } = delivery;
  await tx.webhookDelivery.create({ data: { teamId: actor.teamId, id, ...about, nextAttemptAt: now, createdAt: now } });
  return id;
}

/** Nothing is sent to one that is off: who asks for it would wait for ever. @throws {ServiceError} `validation_error` */
function requireOn(webhook: WebhookRow): WebhookRow {
  if (webhook.enabled) return webhook;
  throw invalid("id", "This webhook is switched off: switch it on first");
}

export const testWebhook = operation({
  name: "webhooks.test",
  summary: "Send a webhook a test event",
  description: "It goes to this webhook alone, whatever events it names. `webhooks.deliveries` tells what came of it.",
  scope: "write",
  ...inApp,
  input: z.strictObject({ id: Id }),
  output: WebhookDelivery,
  async run({ tx, actor, now }, { id }) {
    const webhook = requireOn(await requireWebhook(tx, actor, id));
    const stamp = await stampChange(tx, actor.teamId, now);
    const [eventId] = await emit(tx, actor, stamp, [
      { type: "webhook.test", data: { id, url: webhook.url }, dispatched: true },
    ]);
    if (eventId === undefined) throw new Error("the test event was not written");
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
    requireOn(await requireWebhook(tx, actor, old.subscriptionId));
    return present(await findDelivery(tx, actor, await enqueue(tx, actor, { ...old, now })));
  },
});
