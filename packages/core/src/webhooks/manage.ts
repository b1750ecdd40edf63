import { isDeepStrictEqual } from "node:util";
import { newId, sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { sameIds } from "../schema/names.ts";
import { Id } from "../schema/text.ts";
import { requireFreeSubscription, requireWebhook, setCollections } from "./row.ts";
import { newSecret, secretOverlapMs } from "./secret.ts";
import {
  CollectionIds,
  EventPatterns,
  presentWebhook,
  Webhook,
  WebhookName,
  WebhookUrl,
  WebhookWithSecret,
} from "./subscription.ts";

const inApp = { scope: "write", capability: "developer.webhooks", sessionOnly: true } as const;

export const createWebhook = operation({
  name: "webhooks.create",
  summary: "Subscribe an address to events",
  description: "The secret that signs the deliveries is in this answer and nowhere else.",
  ...inApp,
  freshProof: true,
  input: z.strictObject({
    url: WebhookUrl,
    events: EventPatterns,
    collectionIds: CollectionIds.default([]),
    name: WebhookName.nullish(),
  }),
  output: WebhookWithSecret,
  async run({ tx, actor, now, sealer }, { url, events, collectionIds, name = null }) {
    const { secret, sealed } = newSecret(sealer);
    const { teamId, userId } = actor;
    await requireFreeSubscription(tx, teamId);
    const id = newId();
    await tx.webhookSubscription.create({
      data: { teamId, id, name, url, events, secret: sealed, createdById: userId, createdAt: now },
    });
    await setCollections(tx, actor, id, collectionIds);
    return { ...presentWebhook(await requireWebhook(tx, actor, id)), secret };
  },
});

export const updateWebhook = operation({
  name: "webhooks.update",
  summary: "Change a webhook, or switch it on or off",
  description:
    "Enabling a webhook that the service had disabled clears its failures and sends the events that waited. Changing `url`, `events` or `collectionIds` makes you its creator: from then on it gets only events about what you can read.",
  ...inApp,
  freshProof: true,
  input: z.strictObject({
    id: Id,
    url: WebhookUrl.optional(),
    events: EventPatterns.optional(),
    collectionIds: CollectionIds.optional(),
    name: WebhookName.nullish(),
    enabled: z.boolean().optional(),
  }),
  output: Webhook,
  async run({ tx, actor, audit }, { id, collectionIds, enabled, ...fields }) {
    const where = { teamId_id: { teamId: actor.teamId, id } };
    const before = await requireWebhook(tx, actor, id);
    const { url = before.url, events = before.events, name } = fields;
    // Prevents a user from redirecting another user's webhook to read what only that user can read.
    const isRedirected =
      url !== before.url ||
      !sameIds(events, before.events) ||
      !sameIds(collectionIds ?? before.collectionIds, before.collectionIds);
    await tx.webhookSubscription.update({
      where,
      data: {
        url,
        events,
        ...(isRedirected ? { createdById: actor.userId } : {}),
        ...(name === undefined ? {} : { name }),
        ...(enabled === undefined ? {} : { enabled, disabledReason: null, failingSince: null }),
      },
    });
    if (collectionIds !== undefined) await setCollections(tx, actor, id, collectionIds);
    const after = await requireWebhook(tx, actor, id);
    if (isDeepStrictEqual(after, before)) audit.unchanged();
    return presentWebhook(after);
  },
});

export const deleteWebhook = operation({
  name: "webhooks.delete",
  summary: "Delete a webhook and the log of its deliveries",
  ...inApp,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("deleted") }),
  async run({ tx, actor }, { id }) {
    const { count } = await tx.webhookSubscription.deleteMany({ where: { teamId: actor.teamId, id } });
    if (count === 0) throw notFound("Webhook");
    return { id, status: "deleted" as const };
  },
});

export const rotateWebhookSecret = operation({
  name: "webhooks.rotateSecret",
  summary: "Give a webhook a new secret",
  description: "For 24 hours both secrets sign, so that the receiver can change over without missing a delivery.",
  ...inApp,
  freshProof: true,
  input: z.strictObject({ id: Id }),
  output: WebhookWithSecret,
  async run({ tx, actor, now, sealer }, { id }) {
    const { secret, sealed } = newSecret(sealer);
    const previousSecretUntil = new Date(now.getTime() + secretOverlapMs);
    // Copies the current secret in SQL, because another rotation or `kb reseal` may have changed it since it was read.
    const changed = await tx.execute(sql`UPDATE webhook_subscriptions SET "previousSecret" = secret, secret = ${sealed},
      "previousSecretUntil" = ${previousSecretUntil} WHERE "teamId" = ${actor.teamId}::uuid AND id = ${id}::uuid`);
    if (changed === 0) throw notFound("Webhook");
    return { ...presentWebhook(await requireWebhook(tx, actor, id)), secret };
  },
});
