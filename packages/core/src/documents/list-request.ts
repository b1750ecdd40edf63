import { type Actor, deletableDocuments, readableDocuments } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { OptionalOffset } from "../schema/paging.ts";
import { Id, Instant, Text } from "../schema/text.ts";
import { filterInput } from "./filters.ts";
import { titleKey } from "./title-key.ts";

/** Greatest page size of the incremental sync. */
export const syncMaximum = 1000;

/** The query of the document list, in both of its forms. */
export const listInput = z.strictObject({
  ...filterInput,
  parentDocumentId: Id.optional(),
  title: Text.optional(),
  deleted: z.boolean().optional(),
  /** Bounded by the form of the list: 100, or 1000 for a sync. */
  limit: z.int().min(1).max(syncMaximum).optional(),
  offset: OptionalOffset,
  sort: z
    .enum(["updatedAt", "-updatedAt", "createdAt", "-createdAt", "title", "-title", "sortOrder", "-sortOrder"])
    .optional(),
  format: z.literal("markdown").optional(),
  updatedSince: Instant.optional(),
  cursor: Text.optional(),
  includeDeleted: z.boolean().optional(),
});

export type ListRequest = z.output<typeof listInput>;

/** `AND …` for the parent and the exact title. */
export function placeConditions(actor: Actor, request: Pick<ListRequest, "parentDocumentId" | "title">): Sql {
  const { parentDocumentId, title } = request;
  return sql`${parentDocumentId === undefined ? empty : sql` AND ${belowParent(actor, parentDocumentId)}`}${
    title === undefined ? empty : sql` AND d."titleKey" = ${titleKey(title)}`
  }`;
}

/** A hidden parent has no children for the caller, not even those that they may read. */
function belowParent(actor: Actor, id: string): Sql {
  return sql`d."parentDocumentId" = ${id}::uuid AND EXISTS (SELECT 1 FROM documents d WHERE d.id = ${id}::uuid
    AND ${readableDocuments(actor)} AND (d."deletedAt" IS NULL OR ${deletableDocuments(actor)}))`;
}
