import { type Actor, readableCollections } from "@kb/auth";
import { empty, type Reader, type Sql, sql } from "@kb/db";
import { requireReadable } from "../collections/readable.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { Ids, sameIds } from "../schema/names.ts";
import type { ChannelRow } from "./channel.ts";

/** The input fields that select what a channel shows. */
export const sourceFields = { collectionIds: Ids(100).optional(), tagIds: Ids(100).optional() };

/** Keeps sources from being deleted before they are written; nothing for a preview. */
export type SourceLock = "lock" | "no lock";

/**
 * Requires that the caller may see the sources, and locks them against deletion.
 * @throws {ServiceError} `not_found` for a hidden one.
 */
export async function requireSources(
  reader: Reader,
  actor: Actor,
  collectionIds: readonly string[],
  tagIds: readonly string[],
  lock: SourceLock = "lock",
): Promise<void> {
  await requireReadable(reader, actor, collectionIds, lock);
  const tags = await reader.rows(sql`SELECT 1 FROM tags t WHERE t."teamId" = ${actor.teamId}::uuid AND NOT t.restricted
    AND t.id = ANY(${tagIds}::uuid[]) ORDER BY t.id ${lock === "lock" ? forKeyShare : empty}`);
  if (tags.length < tagIds.length) throw notFound("Tag");
}

const forKeyShare: Sql = sql`FOR KEY SHARE OF t`;

/**
 * Returns the collections of a channel that are hidden from the caller; no change of theirs may remove them. Includes
 * deleted ones.
 */
async function hiddenCollections(reader: Reader, actor: Actor, channelId: string): Promise<string[]> {
  const rows = await reader.rows<{ id: string }>(sql`SELECT s."collectionId" AS id FROM channel_collections s
    WHERE s."teamId" = ${actor.teamId}::uuid AND s."channelId" = ${channelId}::uuid AND NOT EXISTS (
      SELECT 1 FROM collections c WHERE c.id = s."collectionId" AND ${readableCollections(actor)})`);
  return rows.map((row) => row.id);
}

/** Returns whether a channel publishes a collection that is hidden from the caller. */
export async function hasHiddenSource(reader: Reader, actor: Actor, channelId: string): Promise<boolean> {
  const hidden = await reader.rows(sql`SELECT 1 FROM channel_collections s
    JOIN collections k ON k."teamId" = s."teamId" AND k.id = s."collectionId" AND k."deletedAt" IS NULL
    WHERE s."teamId" = ${actor.teamId}::uuid AND s."channelId" = ${channelId}::uuid AND NOT EXISTS (
      SELECT 1 FROM collections c WHERE c.id = s."collectionId" AND ${readableCollections(actor)}) LIMIT 1`);
  return hidden.length > 0;
}

/**
 * Requires that the caller may see all collections of a channel: otherwise they may neither widen it nor give others
 * access to it.
 * @throws {ServiceError} `forbidden` for a channel that publishes a collection which is hidden from the caller.
 */
export async function requireAllSourcesVisible(reader: Reader, actor: Actor, channelId: string): Promise<void> {
  if (!(await hasHiddenSource(reader, actor, channelId))) return;
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
  reader: Reader,
  actor: Actor,
  before: ChannelRow,
  requested: SourceInput,
): Promise<ChannelSourceIds> {
  const visible = before.collections.map((collection) => collection.id);
  const labels = before.tags.map((tag) => tag.id);
  const hidden = await hiddenCollections(reader, actor, before.id);
  const collectionIds = [...(requested.collectionIds ?? visible), ...hidden];
  const tagIds = requested.tagIds ?? labels;
  const byCollection = collectionIds.length > 0 || (requested.collectionIds === undefined && before.byCollection);
  const byTag = tagIds.length > 0 || (requested.tagIds === undefined && before.byTag);
  requireNarrowed(byCollection, byTag);
  if (!sameIds(tagIds, labels) || byTag !== before.byTag) await requireAllSourcesVisible(reader, actor, before.id);
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
