import { type Actor, deletableDocuments, readableDocuments } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { Fields } from "../schema/document.ts";
import { OptionalOffset } from "../schema/paging.ts";
import { Id, Instant, Text } from "../schema/text.ts";
import { filterInput } from "./filters.ts";
import { linksTo } from "./links.ts";
import { titleKey } from "./title-key.ts";

/** The maximum page size of the incremental sync. */
export const syncMaximum = 1000;

/** The input of the document list, in both of its forms. */
export const listInput = z.strictObject({
  ...filterInput,
  parentDocumentId: Id.optional(),
  title: Text.optional(),
  createdBy: Id.optional(),
  linksTo: Id.optional(),
  deleted: z.boolean().optional(),
  /** At most 100 for a list and 1000 for a sync. */
  limit: z.int().min(1).max(syncMaximum).optional(),
  offset: OptionalOffset,
  sort: z
    .enum(["updatedAt", "-updatedAt", "createdAt", "-createdAt", "title", "-title", "sortOrder", "-sortOrder"])
    .optional(),
  fields: Fields.optional(),
  format: z.literal("markdown").optional(),
  updatedSince: Instant.optional(),
  cursor: Text.optional(),
  includeDeleted: z.boolean().optional(),
});

/** The parsed input of the document list. */
export type ListRequest = z.output<typeof listInput>;

type PlaceFilters = Partial<Pick<ListRequest, "parentDocumentId" | "title" | "createdBy" | "linksTo">>;

/** Returns `AND …` for the parent, the exact title, the author, and the document to which they link. */
export function placeConditions(actor: Actor, request: PlaceFilters): Sql {
  const { parentDocumentId, title, createdBy, linksTo: target } = request;
  const author = createdBy === undefined ? empty : sql` AND d."createdById" = ${createdBy}::uuid`;
  const links = target === undefined ? empty : sql` AND ${linksTo(actor, target)}`;
  return sql`${author}${links}${parentDocumentId === undefined ? empty : sql` AND ${belowParent(actor, parentDocumentId)}`}${
    title === undefined ? empty : sql` AND ${isTitled(title)}`
  }`;
}

/** Returns the condition for a title. Writes trim titles, but titles of earlier releases may begin or end with spaces. */
function isTitled(title: string): Sql {
  const key = titleKey(title);
  return key === key.trim() ? sql`d."titleKey" = ${key}` : sql`d."titleKey" = ANY(${[key, key.trim()]}::text[])`;
}

/** Returns the condition for a parent. A hidden parent has no children for the caller, even if they may read them. */
function belowParent(actor: Actor, id: string): Sql {
  return sql`d."parentDocumentId" = ${id}::uuid AND EXISTS (SELECT 1 FROM documents d WHERE d.id = ${id}::uuid
    AND ${readableDocuments(actor)} AND (d."deletedAt" IS NULL OR ${deletableDocuments(actor)}))`;
}
