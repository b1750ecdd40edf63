import { type Actor, readableCollections, type TaggedPage, tagged, visibleTags } from "@kb/auth";
import { empty, join, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { Id, maxTags, TagName, Text } from "../schema/text.ts";

/** The states that the `status` filter names. Without it, drafts and published documents are listed, archived ones not. */
export const Status = z.enum(["draft", "published", "archived"]);

/** As many as a document may be given. */
const TagNames = z.array(TagName).max(maxTags, `At most ${maxTags} tags`);

/** Query parameters by which documents are picked, in every list and in the search. */
export const filterInput = {
  collectionId: Id.optional(),
  status: z.array(Status).optional(),
  tag: TagNames.optional(),
  /** `a,b`: the same as `tag=a&tag=b`. */
  tags: Text.transform((names) => names.split(","))
    .pipe(TagNames)
    .optional(),
};

export type Filters = {
  readonly collectionId?: string | undefined;
  readonly status?: readonly z.output<typeof Status>[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
};

const statusConditions: Readonly<Record<z.output<typeof Status>, Sql>> = {
  draft: sql`(d."publishedAt" IS NULL AND d."archivedAt" IS NULL)`,
  published: sql`(d."publishedAt" IS NOT NULL AND d."archivedAt" IS NULL)`,
  archived: sql`d."archivedAt" IS NOT NULL`,
};

/** The condition on `documents d` for a status filter. */
export function statusCondition(status: Filters["status"]): Sql {
  if (status === undefined || status.length === 0) return sql`d."archivedAt" IS NULL`;
  return sql`(${join(
    status.map((name) => statusConditions[name]),
    " OR ",
  )})`;
}

/** The ids of the tags of a name that the caller may see, as an expression: a restricted tag may be named as another is. */
export const tagsNamed = (actor: Actor, name: string): Sql =>
  sql`ARRAY(SELECT t.id FROM tags t WHERE t.name = ${name} AND ${visibleTags(actor)})`;

/** Documents that carry all these tags; a tag that the caller may not see is on none. */
function tagCondition(actor: Actor, names: readonly string[], page?: TaggedPage): Sql {
  const [name = "", ...others] = names;
  if (others.length === 0) return tagged(actor.teamId, tagsNamed(actor, name), page);
  // One statement for all of them: of a condition for each name the planner takes seconds.
  return sql`d.id = ANY (ARRAY(SELECT dt."documentId" FROM document_tags dt
    JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
    WHERE dt."teamId" = ${actor.teamId}::uuid AND t.name = ANY(${names}::text[]) AND ${visibleTags(actor)}
    GROUP BY dt."documentId" HAVING count(DISTINCT t.name) = ${names.length}::int))`;
}

/** The tags of both forms of the filter, each once. */
export const tagNames = ({ tag = [], tags = [] }: Filters): string[] => [...new Set([...tag, ...tags])];

/** How a page of `documents d` is read, for its filters: all its other conditions, what bounds them, its order and its length. */
export type FilteredPage = Omit<TaggedPage, "collectionId">;

/** `AND …` for every filter but the status. `page` is there where a page is read, and not where all are counted. */
export function filterConditions(actor: Actor, filters: Filters, page?: FilteredPage): Sql {
  const names = tagNames(filters);
  const { collectionId } = filters;
  const place = collectionId === undefined ? empty : sql` AND ${inCollection(actor, collectionId)}`;
  if (names.length === 0) return place;
  const wholePage = page === undefined ? undefined : inPlace(page, collectionId, place);
  return sql`${place} AND ${tagCondition(actor, names, wholePage)}`;
}

function inPlace({ where, range, ...page }: FilteredPage, collectionId: string | undefined, place: Sql): TaggedPage {
  const id = collectionId === undefined ? undefined : sql`${collectionId}::uuid`;
  const inCollection = id === undefined ? empty : sql` AND d."collectionId" = ${id}`;
  return { ...page, where: sql`${where}${place}`, range: sql`${range}${inCollection}`, collectionId: id };
}

/** A hidden collection holds nothing for the caller, not even a document that a key's own entry lets them read. */
function inCollection(actor: Actor, id: string): Sql {
  return sql`d."collectionId" = ${id}::uuid
    AND EXISTS (SELECT 1 FROM collections c WHERE c.id = ${id}::uuid AND ${readableCollections(actor)})`;
}
