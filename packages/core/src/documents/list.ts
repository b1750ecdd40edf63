import { type Actor, deletableDocuments, readableDocuments, readableTotal } from "@kb/auth";
import { empty, type Sql, sql, withGenericPlan } from "@kb/db";
import { z } from "zod";
import type { ReadContext } from "../context.ts";
import { invalid } from "../errors.ts";
import { query } from "../operation.ts";
import { ListedDocument, selectFields } from "../schema/document.ts";
import { type BodyColumns, listedBodies } from "./body-parts.ts";
import { filterConditions, statusCondition, tagNames, tagsNamed } from "./filters.ts";
import { type ListRequest, listInput, placeConditions } from "./list-request.ts";
import { rowsOfPage, toPageRow } from "./page-parts.ts";
import { documentReader } from "./read-documents.ts";
import { type DocumentRow, documentColumns, partsFor, presentDocument, withBodies } from "./row.ts";
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

/** A page of documents with the total number. */
export const DocumentPage = z
  .object({ total: z.int(), limit: z.int(), offset: z.int(), data: z.array(ListedDocument) })
  .meta({ id: "DocumentPage" });

/** The default and the maximum page size of the plain list. */
const defaultLimit = 25;
const maximumLimit = 100;

/**
 * Lists the documents that the caller may read. With `updatedSince` or `cursor` it is the incremental sync (see
 * `sync.ts`).
 */
export const listDocuments = query({
  name: "documents.list",
  summary: "List documents",
  description:
    "Newest change first. `status=archived` lists archived documents, `deleted=true` the trash. With `updatedSince` or `cursor`, this is the incremental sync: oldest change first, without a total.",
  scope: "read",
  capability: "document.read",
  input: listInput,
  output: z.union([DocumentPage, SyncPage]),
  run(context, request) {
    if (request.updatedSince !== undefined || request.cursor !== undefined) return syncDocuments(context, request);
    if (request.includeDeleted !== undefined) throw invalid("includeDeleted", "Requires updatedSince or cursor");
    return page(context, request);
  },
});

async function page(context: ReadContext, request: ListRequest): Promise<z.input<typeof DocumentPage>> {
  const { reader, actor, appUrl } = context;
  const limit = request.limit ?? defaultLimit;
  if (limit > maximumLimit) throw invalid("limit", `At most ${maximumLimit}`);
  const offset = request.offset ?? 0;
  const visibility =
    request.deleted === true
      ? sql`d."deletedAt" IS NOT NULL AND ${deletableDocuments(actor)}${trashStatus(request)}`
      : sql`d."deletedAt" IS NULL AND ${statusCondition(request.status)} AND ${readableDocuments(actor)}`;
  const order = orders[request.sort ?? "-updatedAt"];
  const place = placeConditions(actor, request);
  // The trash is short and has an index of its own.
  const ordered = { where: sql`${visibility}${place}`, range: empty, order, rows: offset + limit };
  const shown = filterConditions(actor, request, request.deleted === true ? undefined : ordered);
  const sparse = isOfAll(request) ? await whereSparse(reader, actor, offset + limit) : empty;
  const parts = partsFor(request.fields, request.format);
  const page = sql`SELECT d.* FROM documents d WHERE ${visibility}${place}${shown}${sparse}
    ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  const [rows, [counted]] = await reader.rowsOfEach<[DocumentRow & BodyColumns, { total: number }]>([
    // The estimates depend on the limit, the best plan does not: the plans test runs both kinds.
    withGenericPlan(sql`SELECT ${documentColumns(actor, parts, listedBodies(parts, order))}
      FROM (${page}) d ${withBodies} ORDER BY ${order}`),
    sql`SELECT ${totalOf(actor, request, sql`${visibility}${place}`)}::int AS total`,
  ]);
  const present = (row: DocumentRow) => selectFields(presentDocument(row, appUrl), request.fields);
  return {
    total: counted?.total ?? 0,
    limit,
    offset,
    data: await rowsOfPage(rows.map(toPageRow(present)), {
      call: context.call,
      read: documentReader(context, parts, visibility),
      unchangedOnly: false,
      present,
      schema: ListedDocument,
    }),
  };
}

/**
 * Tells whether the list covers all documents that the caller may read. Lists of drafts only and of archived documents
 * have indexes of their own.
 */
function isOfAll({ collectionId, parentDocumentId, title, deleted, status, ...filters }: ListRequest): boolean {
  const { createdBy, linksTo } = filters;
  const narrower = [collectionId, parentDocumentId, title, createdBy, linksTo].some((filter) => filter !== undefined);
  const published = status === undefined || status.length === 0 || status.includes("published");
  return !narrower && deleted !== true && published && tagNames(filters).length === 0;
}

/**
 * Returns the total of a list. Maintained counts answer it for a collection, a state and a tag; narrower lists, and
 * names that two tags share, are counted.
 */
function totalOf(actor: Actor, request: ListRequest, visibility: Sql): Sql {
  const { collectionId, title, parentDocumentId, createdBy, linksTo, deleted } = request;
  const [name, ...others] = tagNames(request);
  const counted = sql`(SELECT count(*) FROM documents d WHERE ${visibility}${filterConditions(actor, request)})`;
  const isCounted = [title, parentDocumentId, createdBy, linksTo].some((filter) => filter !== undefined);
  if (isCounted || deleted === true || others.length > 0) return counted;
  const condition = sql`${statusCondition(request.status)}${filterConditions(actor, { collectionId })}`;
  const place = collectionId === undefined ? undefined : sql`${collectionId}::uuid`;
  if (name === undefined) return readableTotal(actor, condition, { collectionId: place });
  const tagIds = tagsNamed(actor, name);
  const ofTag = readableTotal(actor, condition, { collectionId: place, tagId: sql`(${tagIds})[1]` });
  return sql`CASE WHEN cardinality(${tagIds}) > 1 THEN ${counted} ELSE ${ofTag} END`;
}

/** Returns the status condition of the trash, which also lists archived documents unless a filter excludes them. */
function trashStatus(request: ListRequest): Sql {
  return request.status === undefined || request.status.length === 0
    ? empty
    : sql` AND ${statusCondition(request.status)}`;
}
