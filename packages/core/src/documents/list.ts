import { type Actor, deletableDocuments, readableDocuments, readableTotal } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { invalid } from "../errors.ts";
import { query, type ReadContext } from "../operation.ts";
import { Document } from "../schema/document.ts";
import { filterConditions, statusCondition, tagNames, tagsNamed } from "./filters.ts";
import { type ListRequest, listInput, placeConditions } from "./list-request.ts";
import { type DocumentRow, documentColumns, presentDocument, withBodies } from "./row.ts";
import { whereSparse } from "./sparse.ts";
import { SyncPage, syncDocuments } from "./sync.ts";

const orders = {
  updatedAt: sql`d."updatedAt" ASC, d.id ASC`,
  "-updatedAt": sql`d."updatedAt" DESC, d.id DESC`,
  createdAt: sql`d."createdAt" ASC, d.id ASC`,
  "-createdAt": sql`d."createdAt" DESC, d.id DESC`,
  title: sql`d."titleKey" ASC, d.id ASC`,
  "-title": sql`d."titleKey" DESC, d.id DESC`,
  sortOrder: sql`d."sortOrder" ASC, d.id ASC`,
  "-sortOrder": sql`d."sortOrder" DESC, d.id DESC`,
} as const satisfies Record<string, Sql>;

/** A page of documents, with how many there are in all. */
export const DocumentPage = z
  .object({ total: z.int(), limit: z.int(), offset: z.int(), data: z.array(Document) })
  .meta({ id: "DocumentPage" });

/** Default and greatest page size of the plain list. */
const defaultLimit = 25;
const maximumLimit = 100;

/** Lists what the caller may read; with `updatedSince` or `cursor` it is the incremental sync (see `sync.ts`). */
export const listDocuments = query({
  name: "documents.list",
  summary: "List documents",
  description:
    "Newest change first. Archived documents are listed with `status=archived` only, the trash with `deleted=true`. With `updatedSince` or `cursor` this is the incremental sync: oldest change first, without a total.",
  scope: "read",
  capability: "document.read",
  input: listInput,
  output: z.union([DocumentPage, SyncPage]),
  run(context, request) {
    if (request.updatedSince !== undefined || request.cursor !== undefined) return syncDocuments(context, request);
    if (request.includeDeleted !== undefined) throw invalid("includeDeleted", "Goes with updatedSince or cursor");
    return page(context, request);
  },
});

async function page(
  { reader, actor, appUrl }: ReadContext,
  request: ListRequest,
): Promise<z.input<typeof DocumentPage>> {
  const limit = request.limit ?? defaultLimit;
  if (limit > maximumLimit) throw invalid("limit", `At most ${maximumLimit}`);
  const offset = request.offset ?? 0;
  const sight =
    request.deleted === true
      ? sql`d."deletedAt" IS NOT NULL AND ${deletableDocuments(actor)}${trashStatus(request)}`
      : sql`d."deletedAt" IS NULL AND ${statusCondition(request.status)} AND ${readableDocuments(actor)}`;
  const order = orders[request.sort ?? "-updatedAt"];
  const place = placeConditions(actor, request);
  // The trash is short, and read by an index of its own.
  const ordered = { where: sql`${sight}${place}`, range: empty, order, rows: offset + limit };
  const shown = filterConditions(actor, request, request.deleted === true ? undefined : ordered);
  const sparse = isOfAll(request) ? await whereSparse(reader, actor, offset + limit) : empty;
  const page = sql`SELECT d.* FROM documents d WHERE ${sight}${place}${shown}${sparse}
    ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  const [rows, [counted]] = await Promise.all([
    reader.rows<DocumentRow>(sql`SELECT ${documentColumns(actor, { markdown: request.format === "markdown" })}
      FROM (${page}) d ${withBodies} ORDER BY ${order}`),
    reader.rows<{ total: number }>(sql`SELECT ${totalOf(actor, request, sql`${sight}${place}`)}::int AS total`),
  ]);
  return { total: counted?.total ?? 0, limit, offset, data: rows.map((row) => presentDocument(row, appUrl)) };
}

/** Whether the list is of all that the caller may read; drafts alone, and what is archived, have an index of their own. */
function isOfAll({ collectionId, parentDocumentId, title, deleted, status, ...filters }: ListRequest): boolean {
  const narrower = [collectionId, parentDocumentId, title].some((filter) => filter !== undefined);
  const published = status === undefined || status.length === 0 || status.includes("published");
  return !narrower && deleted !== true && published && tagNames(filters).length === 0;
}

/**
 * How many documents the list is of. The counts that are kept tell it of a collection, a state and a tag; of what is narrower,
 * or of a name that two tags have, the documents are counted.
 */
function totalOf(actor: Actor, request: ListRequest, sight: Sql): Sql {
  const { collectionId, title, parentDocumentId, deleted } = request;
  const [name, ...others] = tagNames(request);
  const counted = sql`(SELECT count(*) FROM documents d WHERE ${sight}${filterConditions(actor, request)})`;
  if (title !== undefined || parentDocumentId !== undefined || deleted === true || others.length > 0) return counted;
  const condition = sql`${statusCondition(request.status)}${filterConditions(actor, { collectionId })}`;
  const place = collectionId === undefined ? undefined : sql`${collectionId}::uuid`;
  if (name === undefined) return readableTotal(actor, condition, { collectionId: place });
  const tagIds = tagsNamed(actor, name);
  const ofTag = readableTotal(actor, condition, { collectionId: place, tagId: sql`(${tagIds})[1]` });
  return sql`CASE WHEN cardinality(${tagIds}) > 1 THEN ${counted} ELSE ${ofTag} END`;
}

/** In the trash, what was archived before stays listed; a status filter still picks. */
function trashStatus(request: ListRequest): Sql {
  return request.status === undefined || request.status.length === 0
    ? empty
    : sql` AND ${statusCondition(request.status)}`;
}
