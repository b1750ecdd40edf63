import { type Sql, sql } from "@kb/db";
import type { Decision } from "./access.ts";
import type { ChannelReader } from "./channel-reader.ts";
import { type TaggedPage, tagged } from "./tagged.ts";

/** What the policy needs to know of a document that a channel is asked for. */
export type ChannelDocumentFacts = {
  readonly publishedAt: Date | null;
  readonly archivedAt: Date | null;
  readonly deletedAt: Date | null;
  /** Whether its collection is in the archive. */
  readonly collectionArchived: boolean;
  /** Whether its collection is one that the channel names. */
  readonly collectionNamed: boolean;
  /** Whether everybody in the team may read its collection. */
  readonly collectionOpen: boolean;
  /** Whether it carries one of the tags that the channel names. A restricted tag counts as none. */
  readonly tagNamed: boolean;
};

/**
 * What a channel shows: published documents, neither archived nor in the trash nor in an archived collection, which lie in
 * one of the collections that the channel names, where it names collections, and carry one of the tags that it names,
 * where it names tags. Naming both narrows. A channel that names nothing shows nothing. By tags alone it shows what the whole
 * team may read: whoever sets one up must not publish what they, or those who tag, never were to see.
 */
export function decideChannelDocument(reader: ChannelReader, document: ChannelDocumentFacts): Decision {
  const active = document.publishedAt !== null && document.archivedAt === null && document.deletedAt === null;
  const named =
    (reader.byCollection || reader.byTag) &&
    (reader.byCollection ? document.collectionNamed : document.collectionOpen) &&
    (!reader.byTag || document.tagNamed);
  return active && named && !document.collectionArchived ? "allow" : "hidden";
}

const collectionNamed = (reader: ChannelReader): Sql => sql`EXISTS (SELECT 1 FROM channel_collections s
  WHERE s."teamId" = ${reader.teamId}::uuid AND s."channelId" = ${reader.channelId}::uuid
    AND s."collectionId" = d."collectionId")`;

const collectionOpen = sql`EXISTS (SELECT 1 FROM collections c
  WHERE c."teamId" = d."teamId" AND c.id = d."collectionId" AND c."defaultAccess" >= 'read')`;

// That a document carries a restricted tag is for those on the tag's list alone, and the reader of a channel is not.
const tagNamed = (reader: ChannelReader): Sql => sql`EXISTS (SELECT 1 FROM channel_tags s
  JOIN tags t ON t."teamId" = s."teamId" AND t.id = s."tagId" AND NOT t.restricted
  JOIN document_tags dt ON dt."teamId" = s."teamId" AND dt."tagId" = s."tagId"
  WHERE s."teamId" = ${reader.teamId}::uuid AND s."channelId" = ${reader.channelId}::uuid AND dt."documentId" = d.id)`;

const channelTags = (reader: ChannelReader): Sql => sql`ARRAY(SELECT t.id FROM channel_tags s
  JOIN tags t ON t."teamId" = s."teamId" AND t.id = s."tagId" AND NOT t.restricted
  WHERE s."teamId" = ${reader.teamId}::uuid AND s."channelId" = ${reader.channelId}::uuid)`;

const collectionArchived = sql`EXISTS (SELECT 1 FROM collections c
  WHERE c."teamId" = d."teamId" AND c.id = d."collectionId" AND c."archivedAt" IS NOT NULL)`;

/**
 * Condition on `documents d`: those that `decideChannelDocument` allows. `page` says how they are listed; without it, one is
 * looked up.
 */
export function channelDocuments(reader: ChannelReader, page?: Omit<TaggedPage, "where">): Sql {
  const team = sql`d."teamId" = ${reader.teamId}::uuid`;
  if (!reader.byCollection && !reader.byTag) return sql`(${team} AND FALSE)`;
  const where = sql`${team} AND d."publishedAt" IS NOT NULL AND d."archivedAt" IS NULL AND d."deletedAt" IS NULL
    AND ${reader.byCollection ? collectionNamed(reader) : collectionOpen} AND NOT ${collectionArchived}`;
  if (!reader.byTag) return sql`(${where})`;
  const named = page === undefined ? tagNamed(reader) : tagged(reader.teamId, channelTags(reader), { ...page, where });
  return sql`(${where} AND ${named})`;
}

/** The facts of the document at `d` beside its own columns, as a select list. */
export const channelFacts = (reader: ChannelReader): Sql => sql`${collectionNamed(reader)} AS "collectionNamed",
  ${collectionOpen} AS "collectionOpen", ${tagNamed(reader)} AS "tagNamed", ${collectionArchived} AS "collectionArchived"`;
