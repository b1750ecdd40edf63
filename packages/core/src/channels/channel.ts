import { type Actor, readableCollections } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { inOrder, type Ordered } from "../collections/in-order.ts";
import { notFound } from "../errors.ts";
import { Timestamp, timestamp } from "../schema/text.ts";

const Named = z.object({ id: z.uuid(), name: z.string() });

/**
 * A publishing channel. It shows documents that are in one of its collections, if it names any, and carry one of its
 * tags, if it names any. `byCollection` and `byTag` stay true when a named collection or tag is deleted: the channel
 * then shows less, never more.
 */
export const Channel = z
  .object({
    id: z.uuid(),
    name: z.string(),
    byCollection: z.boolean(),
    collections: z.array(Named),
    byTag: z.boolean(),
    tags: z.array(Named),
    format: z.object({ markdown: z.boolean(), html: z.boolean() }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Channel" });

/** A row of `channelColumns`. */
export type ChannelRow = {
  readonly id: string;
  readonly name: string;
  readonly byCollection: boolean;
  readonly collections: Ordered[];
  readonly byTag: boolean;
  readonly tags: { readonly id: string; readonly name: string }[];
  readonly markdown: boolean;
  readonly html: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The select list for `channels h`. Leaves out collections that the caller may not read. */
export const channelColumns = (actor: Actor) => sql`h.id, h.name, h."byCollection", h."byTag", h.markdown, h.html,
  h."createdAt", h."updatedAt",
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'sortOrder', c."sortOrder"))
    FROM channel_collections s JOIN collections c ON c."teamId" = s."teamId" AND c.id = s."collectionId"
    WHERE s."teamId" = h."teamId" AND s."channelId" = h.id AND ${readableCollections(actor)}), '[]') AS collections,
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) ORDER BY t.name, t.id)
    FROM channel_tags s JOIN tags t ON t."teamId" = s."teamId" AND t.id = s."tagId"
    WHERE s."teamId" = h."teamId" AND s."channelId" = h.id), '[]') AS tags`;

/** Returns the channel as the contract shows it. */
export function presentChannel(row: ChannelRow): z.input<typeof Channel> {
  const { id, name, byCollection, collections, byTag, tags, markdown, html } = row;
  return {
    id,
    name,
    byCollection,
    collections: inOrder(collections).map(({ id, name }) => ({ id, name })),
    byTag,
    tags,
    format: { markdown, html },
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  };
}

/** Reads a channel of the caller's team. @throws {ServiceError} `not_found` */
export async function requireChannel(reader: Reader, actor: Actor, id: string): Promise<ChannelRow> {
  const [row] = await reader.rows<ChannelRow>(sql`SELECT ${channelColumns(actor)} FROM channels h
    WHERE h."teamId" = ${actor.teamId}::uuid AND h.id = ${id}::uuid`);
  if (row === undefined) throw notFound("Channel");
  return row;
}
