import { type Actor, holds, readableCollections } from "@kb/auth";
import { empty, type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { requireWebhook } from "./row.ts";
import { presentWebhook, subscriptionColumns, Webhook, type WebhookRow } from "./subscription.ts";

/**
 * Returns an `AND …` condition for a restricted key, which sees only webhooks that are limited to collections, all of
 * which it can read.
 */
function knownTo(actor: Actor): Sql {
  if (actor.restrictedKeyId === null) return empty;
  const narrowed = sql`SELECT l."collectionId" FROM webhook_collections l
    WHERE l."teamId" = w."teamId" AND l."subscriptionId" = w.id`;
  return sql`AND EXISTS (${narrowed}) AND NOT EXISTS (${narrowed} AND l."collectionId" NOT IN
    (SELECT c.id FROM collections c WHERE ${readableCollections(actor)}))`;
}

async function listed(reader: Reader, actor: Actor): Promise<z.input<typeof Webhook>[]> {
  const rows = await reader.rows<WebhookRow>(sql`SELECT ${subscriptionColumns} FROM webhook_subscriptions w
    WHERE w."teamId" = ${actor.teamId}::uuid ${knownTo(actor)} ORDER BY w."createdAt", w.id`);
  return rows.map(presentWebhook);
}

/** Lists webhooks without the ids of collections that are hidden from the caller. */
async function listedWithoutHidden(reader: Reader, actor: Actor): Promise<z.input<typeof Webhook>[]> {
  const webhooks = await listed(reader, actor);
  const named = [...new Set(webhooks.flatMap((webhook) => webhook.collectionIds))];
  const rows =
    named.length === 0
      ? []
      : await reader.rows<{ id: string }>(sql`SELECT c.id FROM collections c
          WHERE ${readableCollections(actor)} AND c.id = ANY(${named}::uuid[])`);
  const readable = new Set(rows.map((row) => row.id));
  return webhooks.map((webhook) => ({
    ...webhook,
    url: shownAddress(actor, webhook.url),
    collectionIds: webhook.collectionIds.filter((id) => readable.has(id)),
  }));
}

/** Returns the address for users who manage webhooks; for others only its origin, as the rest often contains a secret. */
function shownAddress(actor: Actor, url: string): string {
  return holds(actor, "developer.webhooks") ? url : new URL(url).origin;
}

/** Lists webhooks for integrations that check whether their subscription still exists. */
export const listWebhooks = query({
  name: "webhooks.list",
  summary: "List the webhook subscriptions",
  description:
    "All of the team's; a restricted key sees those that are narrowed to collections which it reads. Collections that the caller may not read are left out of `collectionIds`. `url` is complete for users with `developer.webhooks`; others see only its origin.",
  scope: "read",
  capability: null,
  input: z.strictObject({}),
  output: z.array(Webhook),
  run: ({ reader, actor }) => listedWithoutHidden(reader, actor),
});

/** Lists the same webhooks in the app, for users who manage webhooks. */
export const listWebhooksInApp = query({
  name: "webhooks.manage",
  summary: "List the webhooks",
  scope: "read",
  capability: "developer.webhooks",
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.array(Webhook),
  run: ({ reader, actor }) => listed(reader, actor),
});

export const getWebhook = query({
  name: "webhooks.info",
  summary: "Get a webhook",
  scope: "read",
  capability: "developer.webhooks",
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: Webhook,
  run: async ({ reader, actor }, { id }) => presentWebhook(await requireWebhook(reader, actor, id)),
});
