import { type Actor, deletableDocuments, readableDocuments } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { isBelow } from "../documents/below.ts";
import { filterConditions, Status, statusCondition } from "../documents/filters.ts";
import { placeConditions } from "../documents/list-request.ts";
import { documentUrl } from "../documents/row.ts";
import { whereSparse } from "../documents/sparse.ts";
import { statusOf } from "../documents/status.ts";
import { query } from "../operation.ts";
import { cursorError, decodeCursor, encodeCursor } from "../schema/cursor.ts";
import { Limit } from "../schema/paging.ts";
import { Id, InstantOrDate, TagName, Text, Timestamp, timestamp } from "../schema/text.ts";
import { listTree, maxTreeRows } from "./list-tree.ts";
import { canWrite, type PlacedRow, placed, placedColumns } from "./placed-document.ts";

/** The states to filter by. The trash has the documents that the caller may restore. */
const ListedStatus = z.enum([...Status.options, "trashed"]);

const Entry = z.object({
  id: z.uuid(),
  title: z.string(),
  collectionName: z.string().nullable(),
  path: z.array(z.string()),
  tags: z.array(z.string()),
  status: ListedStatus,
  revision: z.int(),
  updatedAt: Timestamp,
  /** Null for a deleted user. */
  updatedBy: z.string().nullable(),
  canWrite: z.boolean(),
  url: z.url(),
});

const defaultRows = 25;

const orders = {
  newest: { by: sql`d."updatedAt" DESC, d.id DESC`, after: sql`<` },
  oldest: { by: sql`d."updatedAt" ASC, d.id ASC`, after: sql`>` },
};

/** The position of the last row of a page: its time in milliseconds, its id, and the order of the list. */
const Place = z.strictObject({ at: z.int(), id: z.uuid(), order: z.enum(["newest", "oldest"]) });

const filterInput = {
  parentDocumentId: Id.optional(),
  tag: TagName.optional(),
  status: ListedStatus.optional(),
  linksTo: Id.optional(),
  updatedSince: InstantOrDate.optional(),
};

const input = z
  .strictObject({
    collectionId: Id.optional(),
    under: Id.optional(),
    ...filterInput,
    tree: z.boolean().default(false),
    limit: Limit.unwrap().optional(),
    cursor: Text.optional(),
  })
  .superRefine((request, { addIssue }) => {
    const names = Object.keys(filterInput).filter((name) => Reflect.get(request, name) !== undefined);
    const message = "Cannot be combined with tree, which shows a collection, or all below a document (under)";
    if (request.tree) for (const name of names) addIssue({ code: "custom", path: [name], message });
  });

/**
 * Lists a page of documents without their bodies, newest change first. With `updatedSince`, lists the oldest change
 * first, so that a client that pages on misses no change. With `tree`, lists titles and ids only, in the order of the tree.
 * 1 statement, 2 for an unfiltered list.
 */
export const listDocumentsForAssistants = query({
  name: "assistants.documents",
  summary: "List documents with their places",
  scope: "read",
  capability: "document.read",
  input,
  output: z.object({
    documents: z.array(Entry).describe("Empty with tree"),
    tree: z.string().optional(),
    nextCursor: z.string().nullable(),
  }),
  async run({ reader, actor, appUrl }, request) {
    const { tree, under, tag, status, updatedSince, cursor } = request;
    if (tree) {
      const page = { limit: request.limit ?? maxTreeRows, cursor };
      return { documents: [], ...(await listTree(reader, actor, request, page)) };
    }
    const { limit = defaultRows } = request;
    const order = updatedSince === undefined ? "newest" : "oldest";
    const filters = { collectionId: request.collectionId, tag: tag === undefined ? [] : [tag] };
    const since = updatedSince === undefined ? empty : sql` AND d."updatedAt" > ${updatedSince}`;
    const { by } = orders[order];
    const place = under === undefined ? empty : sql` AND ${isBelow(actor, under, { trashed: status === "trashed" })}`;
    const range = sql`${since}${afterCursor(order, cursor)}`;
    const where = sql`${stateCondition(actor, status)}${placeConditions(actor, request)}${place}${range}`;
    const narrower = request.collectionId ?? request.parentDocumentId ?? request.linksTo ?? under ?? tag;
    const page = { where, range, order: by, rows: limit + 1 };
    const filtered =
      narrower === undefined && (status === undefined || status === "published")
        ? await whereSparse(reader, actor, limit + 1)
        : filterConditions(actor, filters, status === "trashed" ? undefined : page);
    const rows = await reader.rows<ListedRow>(
      sql`SELECT ${placedColumns(actor)}, (SELECT u.name FROM users u
          WHERE u."teamId" = d."teamId" AND u.id = d."lastModifiedById") AS "updatedBy" FROM ${placed(sql`SELECT d.* FROM documents d WHERE ${where}${filtered}
        ORDER BY ${by} LIMIT ${limit + 1}`)} ORDER BY ${by}`,
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      documents: shown.map((row) => present(row, actor, appUrl)),
      nextCursor: last === undefined ? null : encodeCursor({ at: last.updatedAt.getTime(), id: last.id, order }),
    };
  },
});

type ListedRow = PlacedRow & { readonly updatedBy: string | null };

/** Returns the condition for the caller's documents in a state. The trash also has those that were archived before. */
function stateCondition(actor: Actor, status: z.output<typeof ListedStatus> | undefined): Sql {
  if (status === "trashed") return sql`d."deletedAt" IS NOT NULL AND ${deletableDocuments(actor)}`;
  const wanted = status === undefined ? [] : [status];
  return sql`d."deletedAt" IS NULL AND ${statusCondition(wanted)} AND ${readableDocuments(actor)}`;
}

function present(row: ListedRow, actor: Actor, appUrl: string): z.input<typeof Entry> {
  return {
    id: row.id,
    title: row.title,
    collectionName: row.collectionName,
    path: row.path,
    tags: row.tags,
    status: row.deletedAt === null ? statusOf(row) : "trashed",
    revision: row.revision,
    updatedAt: timestamp(row.updatedAt),
    updatedBy: row.updatedBy,
    canWrite: canWrite(actor, row),
    url: documentUrl(appUrl, row.id),
  };
}

function afterCursor(order: "newest" | "oldest", cursor: string | undefined): Sql {
  if (cursor === undefined) return empty;
  const place = decodeCursor(Place, cursor);
  const at = new Date(place.at);
  if (place.order !== order || Number.isNaN(at.getTime())) throw cursorError();
  return sql` AND (d."updatedAt", d.id) ${orders[order].after} (${at}::timestamptz, ${place.id}::uuid)`;
}
