import { type Sql, sql } from "@kb/db";
import { z } from "zod";
import { eventTypes } from "../changes/event-types.ts";
import { Id, Text, Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";
import { withoutInvisible } from "../schema/visible-text.ts";

/** A subscription in API responses. */
export const Webhook = z
  .object({
    id: z.uuid(),
    teamId: z.uuid(),
    name: z.string().nullable(),
    url: z.string().meta({ format: "uri" }),
    events: z.array(z.string()),
    /** The collections to which it is limited; empty for all. */
    collectionIds: z.array(z.uuid()),
    enabled: z.boolean(),
    /** The reason why the service disabled it; null if it is enabled or a user disabled it. */
    disabledReason: z.string().nullable(),
    createdById: z.uuid(),
    createdAt: Timestamp,
    lastDeliveryAt: Timestamp.nullable(),
  })
  .meta({ id: "Webhook" });

/** A subscription with its signing secret, which is shown only when it is created. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() }).meta({ id: "WebhookWithSecret" });

const patterns: ReadonlySet<string> = new Set([
  "*",
  ...eventTypes,
  ...eventTypes.map((type) => `${type.slice(0, type.indexOf("."))}.*`),
]);

/** The events of a subscription: names, `document.*` or `*`, without duplicates and in the given order. */
export const EventPatterns = z
  .array(
    z
      .string()
      .refine((name) => patterns.has(name), "Is not an event: name one such as document.updated, document.* or *"),
  )
  .min(1, "Name at least one event")
  .max(100)
  .transform((names) => [...new Set(names)]);

/** Returns whether one of the patterns matches the event. */
export function listensTo(listed: readonly string[], type: string): boolean {
  return listed.includes("*") || listed.includes(type) || listed.includes(`${type.slice(0, type.indexOf("."))}.*`);
}

/** The address of deliveries: http or https, without user info. The resolved address is checked on each connection. */
export const WebhookUrl = Text.refine((text) => text.length <= 2_048, "At most 2048 characters")
  .refine(isWebUrl, "Must be an http or https address, without user name, password or fragment")
  .meta({ format: "uri", maxLength: 2_048 });

function isWebUrl(text: string): boolean {
  // The URL parser drops white space and accepts `http:host` and `\\`, so the address shown could differ.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "" && hash === "";
}

/** A display name, without invisible characters. A blank name becomes null. */
export const WebhookName = Text.refine((name) => name.length <= 255, "At most 255 characters").transform((name) => {
  const shown = withoutInvisible(name).trim();
  return shown === "" ? null : shown;
});

/** The collections to which a subscription is limited. */
export const CollectionIds = z
  .array(Id)
  .max(100)
  .transform((ids) => [...new Set(ids)]);

/** A row of `subscriptionColumns`. */
export type WebhookRow = {
  id: string;
  teamId: string;
  name: string | null;
  url: string;
  events: string[];
  collectionIds: string[];
  enabled: boolean;
  disabledReason: string | null;
  createdById: string;
  createdAt: Date;
  lastDeliveryAt: Date | null;
};

/** The select list for `webhook_subscriptions w`. */
export const subscriptionColumns: Sql = sql`w.id, w."teamId", w.name, w.url, w.events, w.enabled, w."disabledReason",
  w."createdById", w."createdAt", w."lastDeliveryAt",
  ARRAY(SELECT l."collectionId" FROM webhook_collections l WHERE l."teamId" = w."teamId" AND l."subscriptionId" = w.id
    ORDER BY l."collectionId") AS "collectionIds"`;

/** Presents a subscription for API responses. */
export function presentWebhook(row: WebhookRow): z.input<typeof Webhook> {
  const { id, teamId, name, url, events, collectionIds, enabled, disabledReason, createdById } = row;
  return {
    id,
    teamId,
    name,
    url,
    events,
    collectionIds,
    enabled,
    disabledReason,
    createdById,
    createdAt: timestamp(row.createdAt),
    lastDeliveryAt: timestampOrNull(row.lastDeliveryAt),
  };
}
