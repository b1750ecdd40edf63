import { type Actor, readableCollections } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import { requireReadable } from "../collections/readable.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { Ids, sameIds } from "../schema/names.ts";
import type { ChannelRow } from "./channel.ts";

/** How a request names what a channel shows. */
export const sourceFields = { collectionIds: Ids(100).optional(), tagIds: Ids(100).optional() };

/** Keeps what a channel is to name from being deleted meanwhile. @throws {ServiceError} `not_found` for what is hidden. */
export async function requireSources(
  tx: Tx,
  actor: Actor,
  collectionIds: readonly string[],
  tagIds: readonly string[],
): Promise<void> {
  await requireReadable(tx, actor, collectionIds);
  const tags = await tx.rows(sql`SELECT 1 FROM tags t WHERE t."teamId" = ${actor.teamId}::uuid AND NOT t.restricted
    AND t.id = ANY(${tagIds}::uuid[]) ORDER BY t.id FOR KEY SHARE OF t`);
  if (tags.length < tagIds.length) throw notFound("Tag");
}

/** The collections of a channel that the caller may not see: no change of theirs takes them away. Deleted ones count. */
async function hiddenCollections(tx: Tx, actor: Actor, channelId: string): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`SELECT s."collectionId" AS id FROM channel_collections s
    WHERE s."teamId" = ${actor.teamId}::uuid AND s."channelId" = ${channelId}::uuid AND NOT EXISTS (
      SELECT 1 FROM collections c WHERE c.id = s."collectionId" AND ${readableCollections(actor)})`);
  return rows.map((row) => row.id);
}

/**
 * What the caller may not see of a channel they neither open to others nor widen.
 * @throws {ServiceError} `forbidden` for a channel that publishes a collection which is hidden from the caller.
 */
export async function requireWholeSight(tx: Tx, actor: Actor, channelId: string): Promise<void> {
  const hidden = await tx.rows(sql`SELECT 1 FROM channel_collections s
    JOIN collections k ON k."teamId" = s."teamId" AND k.id = s."collectionId" AND k."deletedAt" IS NULL
    WHERE s."teamId" = ${actor.teamId}::uuid AND s."channelId" = ${channelId}::uuid AND NOT EXISTS (
      SELECT 1 FROM collections c WHERE c.id = s."collectionId" AND ${readableCollections(actor)}) LIMIT 1`);
  if (hidden.length === 0) return;
  const message = "This channel publishes a collection that you may not read: somebody who may has to do this.";
  throw new ServiceError("forbidden", message);
}

type Asked = {
  readonly collectionIds?: readonly string[] | undefined;
  readonly tagIds?: readonly string[] | undefined;
};

type Wanted = {
  readonly collectionIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly byCollection: boolean;
  readonly byTag: boolean;
  readonly changed: boolean;
};

/**
 * What a channel is to show when a request names this much. What it was narrowed by and is deleted by now narrows it still,
 * until the request says otherwise.
 */
export async function wantedSources(tx: Tx, actor: Actor, before: ChannelRow, asked: Asked): Promise<Wanted> {
  const visible = before.collections.map((collection) => collection.id);
  const labels = before.tags.map((tag) => tag.id);
  const hidden = await hiddenCollections(tx, actor, before.id);
  const collectionIds = [...(asked.collectionIds ?? visible), ...hidden];
  const tagIds = asked.tagIds ?? labels;
  const byCollection = collectionIds.length > 0 || (asked.collectionIds === undefined && before.byCollection);
  const byTag = tagIds.length > 0 || (asked.tagIds === undefined && before.byTag);
  requireNarrowed(byCollection, byTag);
  if (!sameIds(tagIds, labels) || byTag !== before.byTag) await requireWholeSight(tx, actor, before.id);
  const changed =
    byCollection !== before.byCollection ||
    byTag !== before.byTag ||
    !sameIds(asked.collectionIds ?? visible, visible) ||
    !sameIds(tagIds, labels);
  return { collectionIds, tagIds, byCollection, byTag, changed };
}

/** @throws {ServiceError} `validation_error` for a channel that would show everything. */
export function requireNarrowed(byCollection: boolean, byTag: boolean): void {
  if (byCollection || byTag) return;
  throw invalid("collectionIds", "A channel needs at least one collection or tag to publish");
}
