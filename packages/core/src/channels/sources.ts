import { type Actor, readableCollections } from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import { requireReadable } from "../collections/readable.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { Ids, sameIds } from "../schema/names.ts";
import type { ChannelRow } from "./channel.ts";

/** The input fields that select what a channel shows. */
export const sourceFields = { collectionIds: Ids(100).optional(), tagIds: Ids(100).optional() };

/**
 * Requires that the caller may see the sources, and locks them against deletion.
 * @throws {ServiceError} `not_found` for a hidden one.
 */
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

/**
 * Returns the collections of a channel that are hidden from the caller; no change of theirs may remove them. Includes
 * deleted ones.
 */
async function hiddenCollections(tx: Tx, actor: Actor, channelId: string): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`SELECT s."collectionId" AS id FROM channel_collections s
    WHERE s."teamId" = ${actor.teamId}::uuid AND s."channelId" = ${channelId}::uuid AND NOT EXISTS (
      SELECT 1 FROM collections c WHERE c.id = s."collectionId" AND ${readableCollections(actor)})`);
  return rows.map((row) => row.id);
}

/**
 * Requires that the caller may see all collections of a channel: otherwise they may neither widen it nor give others
 * access to it.
 * @throws {ServiceError} `forbidden` for a channel that publishes a collection which is hidden from the caller.
 */
export async function requireAllSourcesVisible(tx: Tx, actor: Actor, channelId: string): Promise<void> {
  const hidden = await tx.rows(sql`SELECT 1 FROM channel_collections s
    JOIN collections k ON k."teamId" = s."teamId" AND k.id = s."collectionId" AND k."deletedAt" IS NULL
    WHERE s."teamId" = ${actor.teamId}::uuid AND s."channelId" = ${channelId}::uuid AND NOT EXISTS (
      SELECT 1 FROM collections c WHERE c.id = s."collectionId" AND ${readableCollections(actor)}) LIMIT 1`);
  if (hidden.length === 0) return;
  const message = "This channel publishes a collection that you may not read. Ask somebody who may read it.";
  throw new ServiceError("forbidden", message);
}

type SourceInput = {
  readonly collectionIds?: readonly string[] | undefined;
  readonly tagIds?: readonly string[] | undefined;
};

type ChannelSourceIds = {
  readonly collectionIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly byCollection: boolean;
  readonly byTag: boolean;
  readonly changed: boolean;
};

/**
 * Returns the sources of a channel after a request. Deleted sources keep narrowing the channel unless the request
 * replaces them.
 */
export async function sourcesAfter(
  tx: Tx,
  actor: Actor,
  before: ChannelRow,
  requested: SourceInput,
): Promise<ChannelSourceIds> {
  const visible = before.collections.map((collection) => collection.id);
  const labels = before.tags.map((tag) => tag.id);
  const hidden = await hiddenCollections(tx, actor, before.id);
  const collectionIds = [...(requested.collectionIds ?? visible), ...hidden];
  const tagIds = requested.tagIds ?? labels;
  const byCollection = collectionIds.length > 0 || (requested.collectionIds === undefined && before.byCollection);
  const byTag = tagIds.length > 0 || (requested.tagIds === undefined && before.byTag);
  requireNarrowed(byCollection, byTag);
  if (!sameIds(tagIds, labels) || byTag !== before.byTag) await requireAllSourcesVisible(tx, actor, before.id);
  const changed =
    byCollection !== before.byCollection ||
    byTag !== before.byTag ||
    !sameIds(requested.collectionIds ?? visible, visible) ||
    !sameIds(tagIds, labels);
  return { collectionIds, tagIds, byCollection, byTag, changed };
}

/** Requires that a channel does not show everything. @throws {ServiceError} `validation_error` */
export function requireNarrowed(byCollection: boolean, byTag: boolean): void {
  if (byCollection || byTag) return;
  throw invalid("collectionIds", "A channel needs at least one collection or tag to publish");
}
