import { type Sql, sql } from "@kb/db";
import { z } from "zod";
import { eventTypes } from "../events.ts";
import { Id, Text, Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";

/** A subscription as the contract shows it. */
export const Webhook = z
  .object({
    id: z.uuid(),
    teamId: z.uuid(),
    name: z.string().nullable(),
    url: z.string().meta({ format: "uri" }),
    events: z.array(z.string()),
    /** The only collections that it hears of; empty for all. */
    collectionIds: z.array(z.uuid()),
    enabled: z.boolean(),
    /** Why the service switched it off; null while it is on, or where a person did. */
    disabledReason: z.string().nullable(),
    createdById: z.uuid(),
    createdAt: Timestamp,
    lastDeliveryAt: Timestamp.nullable(),
  })
  .meta({ id: "Webhook" });

/** A subscription with the secret that signs its deliveries: shown when it is made, and never again. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() }).meta({ id: "WebhookWithSecret" });

const patterns: ReadonlySet<string> = new Set([
  "*",
  ...eventTypes,
  ...eventTypes.map((type) => `${type.slice(0, type.indexOf("."))}.*`),
]);

/** What a subscription listens to: names of events, `document.*`, or `*`; each once, in the order given. */
export const EventPatterns = z
  .array(
    z
      .string()
      .refine((name) => patterns.has(name), "Is not an event: name one such as document.updated, document.* or *"),
  )
  .min(1, "Name at least one event")
  .max(100)
  .transform((names) => [...new Set(names)]);

/** Whether one of the patterns names the event. */
export function listensTo(listed: readonly string[], type: string): boolean {
  return listed.includes("*") || listed.includes(type) || listed.includes(`${type.slice(0, type.indexOf("."))}.*`);
}

/** Where deliveries go: http or https, without user info; what it resolves to is checked when a delivery connects. */
export const WebhookUrl = Text.refine((text) => text.length <= 2_048, "At most 2048 characters")
  .refine(isWebUrl, "Must be an http or https address, without user name, password or fragment")
  .meta({ format: "uri", maxLength: 2_048 });

function isWebUrl(text: string): boolean {
  // The parser leaves out white space and takes `http:host` and `\\` too: then the address shown is not the one that is called.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "" && hash === "";
}

/** A name for people; nothing but white space is none. */
export const WebhookName = Text.refine((name) => name.length <= 255, "At most 255 characters").transform((name) =>
  name.trim() === "" ? null : name.trim(),
);

/** The only collections that a subscription hears of. */
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

/** The subscription as the contract shows it. */
export function presentWebhook(row: WebhookRow): z.input<typeof Webhook> {
  const { id, teamId, name, url, events, collectionIds, enabled, disabledReason, createdById } = row;
  return {
    ...{ id, teamId, name, url, events, collectionIds, enabled, disabledReason, createdById },
    createdAt: timestamp(row.createdAt),
    lastDeliveryAt: timestampOrNull(row.lastDeliveryAt),
  };
}
