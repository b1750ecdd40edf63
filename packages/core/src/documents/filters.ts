import { type Actor, readableCollections, visibleTags } from "@kb/auth";
import { empty, join, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { Id, TagName, Text } from "../schema/text.ts";

/** The states that the `status` filter names. Without it, drafts and published documents are listed, archived ones not. */
export const Status = z.enum(["draft", "published", "archived"]);

/** Query parameters by which documents are picked, in every list and in the search. */
export const filterInput = {
  collectionId: Id.optional(),
  status: z.array(Status).optional(),
  tag: z.array(TagName).optional(),
  /** `a,b`: the same as `tag=a&tag=b`. */
  tags: Text.transform((names) => names.split(","))
    .pipe(z.array(TagName))
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

/** Documents that carry all these tags; a tag that the caller may not see matches nothing. */
function tagCondition(actor: Actor, names: readonly string[]): Sql {
  return join(
    names.map(
      (name) => sql`EXISTS (SELECT 1 FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
        WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND t.name = ${name} AND ${visibleTags(actor)})`,
    ),
    " AND ",
  );
}

/** `AND …` for every filter but the status. */
export function filterConditions(actor: Actor, filters: Filters): Sql {
  const names = [...(filters.tag ?? []), ...(filters.tags ?? [])];
  return sql`${filters.collectionId === undefined ? empty : sql` AND ${inCollection(actor, filters.collectionId)}`}${
    names.length === 0 ? empty : sql` AND ${tagCondition(actor, names)}`
  }`;
}

/** A hidden collection holds nothing for the caller, not even a document that a key's own entry lets them read. */
function inCollection(actor: Actor, id: string): Sql {
  return sql`d."collectionId" = ${id}::uuid
    AND EXISTS (SELECT 1 FROM collections c WHERE c.id = ${id}::uuid AND ${readableCollections(actor)})`;
}
