import { type Actor, idsOfTagged, readableCollections, type TaggedPage, tagged, visibleTags } from "@kb/auth";
import { empty, join, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { Id, maxTags, TagName, Text } from "../schema/text.ts";
import { idsBelow, isBelow } from "./below.ts";

/**
 * The values of the `status` filter. Without the filter, lists contain drafts and published documents, but no archived
 * ones.
 */
export const Status = z.enum(["draft", "published", "archived"]);

/** At most as many tags as a document may have. */
const TagNames = z.array(TagName).max(maxTags, `At most ${maxTags} tags`);

/** The filters of every list of documents and of the search. */
export const filterInput = {
  collectionId: Id.optional(),
  status: z.array(Status).optional(),
  tag: TagNames.optional(),
  /** `a,b` means the same as `tag=a&tag=b`. */
  tags: Text.transform((names) => names.split(","))
    .pipe(TagNames)
    .optional(),
};

/** The parsed filters of a list. */
export type Filters = {
  readonly collectionId?: string | undefined;
  /** The document below which the others are, at any depth. */
  readonly under?: string | undefined;
  readonly status?: readonly z.output<typeof Status>[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
};

const statusConditions: Readonly<Record<z.output<typeof Status>, Sql>> = {
  draft: sql`(d."publishedAt" IS NULL AND d."archivedAt" IS NULL)`,
  published: sql`(d."publishedAt" IS NOT NULL AND d."archivedAt" IS NULL)`,
  archived: sql`d."archivedAt" IS NOT NULL`,
};

/** Returns the condition on `documents d` for a status filter. */
export function statusCondition(status: Filters["status"]): Sql {
  if (status === undefined || status.length === 0) return sql`d."archivedAt" IS NULL`;
  return sql`(${join(
    status.map((name) => statusConditions[name]),
    " OR ",
  )})`;
}

/**
 * Returns an expression for the ids of all tags with a name that the caller may see; a restricted tag may have the name
 * of another.
 */
export const tagsNamed = (actor: Actor, name: string): Sql =>
  sql`ARRAY(SELECT t.id FROM tags t WHERE t.name = ${name} AND ${visibleTags(actor)})`;

/**
 * Returns the condition for documents that carry all of these tags. A tag that the caller may not see is on no
 * document.
 */
function tagCondition(actor: Actor, names: readonly string[], page?: TaggedPage): Sql {
  const [name = "", ...others] = names;
  if (others.length === 0) return tagged(actor.teamId, tagsNamed(actor, name), page);
  return sql`d.id = ANY (${idsWithAll(actor, names)})`;
}

/** Returns the ids of the documents that carry all of these tags, as an expression of type `uuid[]`. */
function idsWithAll(actor: Actor, names: readonly string[]): Sql {
  const [name = "", ...others] = names;
  if (others.length === 0) return idsOfTagged(actor.teamId, tagsNamed(actor, name));
  // One condition for all names: with one for each, the planner takes seconds.
  return sql`ARRAY(SELECT dt."documentId" FROM document_tags dt
    JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
    WHERE dt."teamId" = ${actor.teamId}::uuid AND t.name = ANY(${names}::text[]) AND ${visibleTags(actor)}
    GROUP BY dt."documentId" HAVING count(DISTINCT t.name) = ${names.length}::int)`;
}

/** Returns the tag names of both forms of the filter, without duplicates. */
export const tagNames = ({ tag = [], tags = [] }: Filters): string[] => [...new Set([...tag, ...tags])];

/** The rest of a page query, from which its filters choose their plan: other conditions, range, order and length. */
export type FilteredPage = Omit<TaggedPage, "collectionId">;

/** Returns `AND …` for every filter except the status. `page` is set for a page, and absent for a count. */
export function filterConditions(actor: Actor, filters: Filters, page?: FilteredPage): Sql {
  const names = tagNames(filters);
  const { collectionId, under } = filters;
  const collection = collectionId === undefined ? empty : sql` AND ${inCollection(actor, collectionId)}`;
  const place = under === undefined ? collection : sql`${collection} AND ${isBelow(actor, under)}`;
  if (names.length === 0) return place;
  const wholePage = page === undefined ? undefined : inPlace(page, collectionId, place);
  return sql`${place} AND ${tagCondition(actor, names, wholePage)}`;
}

/**
 * Returns the same conditions for documents that were found otherwise and are only tested: by hashed sets, because to look for each of thousands in an
 * array of thousands takes seconds. An array in a set keeps the planner from guessing its size.
 */
export function testConditions(actor: Actor, filters: Filters): Sql {
  const names = tagNames(filters);
  const { collectionId, under } = filters;
  const isAmong = (ids: Sql): Sql => sql` AND (d.id IN (SELECT unnest(${ids}))) IS TRUE`;
  const collection = collectionId === undefined ? empty : sql` AND ${inCollection(actor, collectionId)}`;
  const below = under === undefined ? empty : isAmong(idsBelow(actor, under));
  return sql`${collection}${below}${names.length === 0 ? empty : isAmong(idsWithAll(actor, names))}`;
}

function inPlace({ where, range, ...page }: FilteredPage, collectionId: string | undefined, place: Sql): TaggedPage {
  const id = collectionId === undefined ? undefined : sql`${collectionId}::uuid`;
  const inCollection = id === undefined ? empty : sql` AND d."collectionId" = ${id}`;
  return { ...page, where: sql`${where}${place}`, range: sql`${range}${inCollection}`, collectionId: id };
}

/**
 * Returns the condition for a collection. A hidden collection is empty for the caller, even if a restricted key lists
 * one of its documents.
 */
function inCollection(actor: Actor, id: string): Sql {
  return sql`d."collectionId" = ${id}::uuid
    AND EXISTS (SELECT 1 FROM collections c WHERE c.id = ${id}::uuid AND ${readableCollections(actor)})`;
}
