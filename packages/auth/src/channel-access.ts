import { join, type Sql, sql } from "@kb/db";
import type { Decision } from "./access.ts";
import type { ChannelReader } from "./channel-reader.ts";
import { type TaggedPage, tagged } from "./tagged.ts";

/** The facts of a document on which the policy of channels depends. */
export type ChannelDocumentFacts = {
  readonly publishedAt: Date | null;
  readonly archivedAt: Date | null;
  readonly deletedAt: Date | null;
  /** Whether its collection is archived. */
  readonly collectionArchived: boolean;
  /** Whether the channel names its collection. */
  readonly collectionNamed: boolean;
  /** Whether the whole team may read its collection. */
  readonly collectionOpen: boolean;
  /** Whether it has one of the tags that the channel names. Restricted tags do not count. */
  readonly tagNamed: boolean;
};

/** The filters of a channel that is not saved yet: what it would publish. */
export type ChannelDraft = Pick<ChannelReader, "teamId" | "byCollection" | "byTag"> & {
  readonly collectionIds: readonly string[];
  readonly tagIds: readonly string[];
};

type ChannelFilters = ChannelReader | ChannelDraft;

/**
 * Decides whether a channel shows a document. It must be published, and neither archived nor in the trash nor in an archived
 * collection. If the channel names collections, it must be in one of them; if it names tags, it must have one of them. Naming
 * both narrows; naming nothing shows nothing. A channel that names only tags shows only what the whole team may read, so that
 * its creator, and users who add tags, cannot publish documents that they may not see.
 */
export function decideChannelDocument(reader: ChannelReader, document: ChannelDocumentFacts): Decision {
  const active = document.publishedAt !== null && document.archivedAt === null && document.deletedAt === null;
  const named =
    (reader.byCollection || reader.byTag) &&
    (reader.byCollection ? document.collectionNamed : document.collectionOpen) &&
    (!reader.byTag || document.tagNamed);
  return active && named && !document.collectionArchived ? "allow" : "hidden";
}

const collectionNamed = (filters: ChannelFilters): Sql =>
  "collectionIds" in filters
    ? isOneOf(filters.collectionIds)
    : sql`EXISTS (SELECT 1 FROM channel_collections s
  WHERE s."teamId" = ${filters.teamId}::uuid AND s."channelId" = ${filters.channelId}::uuid
    AND s."collectionId" = d."collectionId")`;

// One parameter for each, because a plan made for any values takes an array for ten of them, and reads all documents.
const isOneOf = (collectionIds: readonly string[]): Sql =>
  collectionIds.length === 0
    ? sql`FALSE`
    : sql`d."collectionId" IN (${join(collectionIds.map((id) => sql`${id}::uuid`))})`;

// Names the team by its value: PostgreSQL may read the collections of a condition once for all rows, and must not read other teams'.
const collectionOpen = ({ teamId }: ChannelFilters): Sql => sql`EXISTS (SELECT 1 FROM collections c
  WHERE c."teamId" = ${teamId}::uuid AND c.id = d."collectionId" AND c."defaultAccess" >= 'read')`;

// A restricted tag is visible only to the users on its list, and the reader of a channel is not on it.
const tagNamed = (filters: ChannelFilters): Sql =>
  "tagIds" in filters
    ? tagged(filters.teamId, channelTags(filters))
    : sql`EXISTS (SELECT 1 FROM channel_tags s
  JOIN tags t ON t."teamId" = s."teamId" AND t.id = s."tagId" AND NOT t.restricted
  JOIN document_tags dt ON dt."teamId" = s."teamId" AND dt."tagId" = s."tagId"
  WHERE s."teamId" = ${filters.teamId}::uuid AND s."channelId" = ${filters.channelId}::uuid AND dt."documentId" = d.id)`;

const channelTags = (filters: ChannelFilters): Sql =>
  "tagIds" in filters
    ? sql`ARRAY(SELECT t.id FROM tags t WHERE t."teamId" = ${filters.teamId}::uuid AND NOT t.restricted
  AND t.id = ANY (${filters.tagIds}::uuid[]))`
    : sql`ARRAY(SELECT t.id FROM channel_tags s
  JOIN tags t ON t."teamId" = s."teamId" AND t.id = s."tagId" AND NOT t.restricted
  WHERE s."teamId" = ${filters.teamId}::uuid AND s."channelId" = ${filters.channelId}::uuid)`;

const collectionArchived = ({ teamId }: ChannelFilters): Sql => sql`EXISTS (SELECT 1 FROM collections c
  WHERE c."teamId" = ${teamId}::uuid AND c.id = d."collectionId" AND c."archivedAt" IS NOT NULL)`;

/**
 * Returns the condition on `documents d` that selects what `decideChannelDocument` allows. `page` is the page of a list;
 * without it, a single document is looked up. The preview of a draft is selected by the same condition.
 */
export function channelDocuments(reader: ChannelFilters, page?: Omit<TaggedPage, "where">): Sql {
  const team = sql`d."teamId" = ${reader.teamId}::uuid`;
  if (!reader.byCollection && !reader.byTag) return sql`(${team} AND FALSE)`;
  const where = sql`${team} AND d."publishedAt" IS NOT NULL AND d."archivedAt" IS NULL AND d."deletedAt" IS NULL
    AND ${reader.byCollection ? collectionNamed(reader) : collectionOpen(reader)}
    AND NOT ${collectionArchived(reader)}`;
  if (!reader.byTag) return sql`(${where})`;
  const named = page === undefined ? tagNamed(reader) : tagged(reader.teamId, channelTags(reader), { ...page, where });
  return sql`(${where} AND ${named})`;
}

/** Selects the facts of the document `d` besides its own columns. */
export const channelFacts = (reader: ChannelReader): Sql => sql`${collectionNamed(reader)} AS "collectionNamed",
  ${collectionOpen(reader)} AS "collectionOpen", ${tagNamed(reader)} AS "tagNamed",
  ${collectionArchived(reader)} AS "collectionArchived"`;
