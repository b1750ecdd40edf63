import {
  type Actor,
  holds,
  readableCollections,
  readableDocuments,
  readableEvents,
  readableTombstones,
  visibleTags,
} from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";

/** How much of an event its subscriber may be told: `gone` is that a document left their sight, and nothing but its id. */
export type Told = "whole" | "gone";

const yes = sql`TRUE`;
const no = sql`FALSE`;

/**
 * Which of these events of the team a subscription may tell, and how much, by the one policy and its creator's access: the
 * document must be readable now, and must have been in the state in which the event left it. `collectionIds` is what the
 * subscription is narrowed to; none means all.
 */
export async function audienceOf(
  reader: Reader,
  creator: Actor,
  collectionIds: readonly string[],
  eventIds: readonly string[],
): Promise<Map<string, Told>> {
  if (eventIds.length === 0) return new Map();
  const rows = await reader.rows<{ id: string; whole: boolean; gone: boolean }>(sql`
    SELECT e.id, (${visible(creator)} AND ${wanted(collectionIds)}) AS whole, ${left(creator, collectionIds)} AS gone
    FROM events e WHERE e."teamId" = ${creator.teamId}::uuid AND e.id = ANY(${eventIds}::uuid[])`);
  const told = new Map<string, Told>();
  for (const { id, whole, gone } of rows) if (whole || gone) told.set(id, whole ? "whole" : "gone");
  return told;
}

/** Whether the creator may see what the event shows; `e` is its row. */
function visible(creator: Actor): Sql {
  const team = sql`${creator.teamId}::uuid`;
  const mine = sql`e.data->>'userId' = ${creator.userId}`;
  return sql`CASE split_part(e.type, '.', 1)
    WHEN 'document' THEN ${readableEvents(creator)} AND EXISTS (SELECT 1 FROM documents d
      WHERE d.id = e."documentId" AND ${readableDocuments(creator)})
    WHEN 'attachment' THEN CASE WHEN e."documentId" IS NULL THEN e."createdById" = ${creator.userId}::uuid
      ELSE EXISTS (SELECT 1 FROM documents d WHERE d.id = e."documentId" AND ${readableDocuments(creator)}) END
    WHEN 'collection' THEN EXISTS (SELECT 1 FROM collections c
      WHERE c.id = e."collectionId" AND ${readableCollections(creator)})
    WHEN 'tag' THEN EXISTS (SELECT 1 FROM tags t WHERE t.id::text = e.data->>'id' AND ${visibleTags(creator)})
      OR (e.type = 'tag.deleted' AND NOT COALESCE((e.data->>'restricted')::boolean, FALSE)
        AND NOT EXISTS (SELECT 1 FROM tags t WHERE t."teamId" = ${team} AND t.id::text = e.data->>'id'))
    WHEN 'api_key' THEN ${holds(creator, "settings.members") ? yes : mine}
    WHEN 'app' THEN ${holds(creator, "developer.mcp") ? yes : mine}
    WHEN 'webhook' THEN ${holds(creator, "developer.webhooks") ? yes : no}
    ELSE FALSE END`;
}

/** Whether the event is about the collections to which the subscription is narrowed. */
function wanted(collectionIds: readonly string[]): Sql {
  return collectionIds.length === 0
    ? yes
    : sql`(e."collectionId" = ANY(${collectionIds}::uuid[]) OR e.type LIKE 'webhook.%')`;
}

/** Whether a document with this event left a place where the creator, and the subscription, could see it. */
function left(creator: Actor, collectionIds: readonly string[]): Sql {
  const place = collectionIds.length === 0 ? yes : sql`s."collectionId" = ANY(${collectionIds}::uuid[])`;
  return sql`(e.type IN ('document.unpublished', 'document.moved', 'document.archived', 'document.deleted', 'document.destroyed')
    AND EXISTS (SELECT 1 FROM tombstones s WHERE ${readableTombstones(creator)} AND s."documentId" = e."documentId"
      AND (s.at >= e.at OR e.type = 'document.destroyed') AND ${place}))`;
}
