import { type Actor, readableDocuments, readableTombstones } from "@kb/auth";
import { empty, type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { invalid, ServiceError } from "../errors.ts";
import type { ReadContext } from "../operation.ts";
import { Document } from "../schema/document.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { filterConditions, statusCondition } from "./filters.ts";
import { type ListRequest, placeConditions } from "./list-request.ts";
import { type DocumentRow, documentColumns, presentDocument, withBodies } from "./row.ts";
import { accessFingerprints, openCursor, type SyncPosition, sealCursor } from "./sync-cursor.ts";
import { tombstoneTtlMs } from "./tombstones.ts";

/** Default page size of the incremental sync. */
const syncDefault = 500;

/** What is left of a document that the caller could see before. */
export const Tombstone = z
  .object({ id: z.uuid(), deletedAt: Timestamp, tombstone: z.literal(true) })
  .meta({ id: "Tombstone" });

/** One page of the incremental sync, oldest change first. `nextCursor` also serves to ask again later. */
export const SyncPage = z
  .object({
    limit: z.int(),
    data: z.array(z.union([Document, Tombstone])),
    hasMore: z.boolean(),
    nextCursor: z.string(),
  })
  .meta({ id: "SyncPage" });

type TombstoneRow = { id: string; at: Date };

/**
 * Reads one page. Changes become visible in the order of their `updatedAt` (the team's clock is locked until commit), so
 * whatever commits later lies behind the position that the client holds. Rows that share a millisecond stay together.
 */
export async function syncDocuments(context: ReadContext, request: ListRequest): Promise<z.input<typeof SyncPage>> {
  const { actor, now, database } = context;
  if (request.deleted !== undefined)
    throw invalid("deleted", "Does not go with the incremental sync: use includeDeleted");
  if (request.offset !== undefined) throw invalid("offset", "Does not go with the incremental sync: use cursor");
  if (request.sort !== undefined) throw invalid("sort", "Does not go with the incremental sync");
  const limit = request.limit ?? syncDefault;
  const held = request.cursor === undefined ? undefined : openCursor(request.cursor);
  const from = held?.position ?? { at: request.updatedSince ?? new Date(0), id: null };
  requireWindow(request, from, now);
  const fingerprints = await accessFingerprints(database, actor, held?.madeAt ?? now, now);
  if (held !== undefined && held.access !== fingerprints.asOfCursor) throw windowExpired("Your access has changed");
  const page = request.includeDeleted
    ? // One snapshot for both, or a change between the two reads would slip under the cursor.
      await database.readTransaction((tx) => merged(tx, context, request, from, limit))
    : await alone(database, context, request, from, limit);
  const last = page.rows.at(-1);
  const position = last === undefined ? from : { at: last.at, id: last.id };
  return {
    limit,
    data: page.rows.map((row) => row.shown),
    hasMore: page.hasMore,
    nextCursor: sealCursor({ position, madeAt: fingerprints.madeAt, access: fingerprints.asOfNow }),
  };
}

function requireWindow(request: ListRequest, from: SyncPosition, now: Date): void {
  if (request.includeDeleted !== true || from.at.getTime() >= now.getTime() - tombstoneTtlMs) return;
  throw windowExpired("What was deleted is kept for 90 days");
}

function windowExpired(reason: string): ServiceError {
  return new ServiceError(
    "sync_window_expired",
    `${reason}: start again without \`includeDeleted\` and \`cursor\`, then go on from the last row.`,
  );
}

type Entry = { at: Date; id: string; shown: z.input<typeof SyncPage>["data"][number] };
type Page = { rows: Entry[]; hasMore: boolean };

/** `AND …`: after the position. A position without an id is a moment, and excludes all of its millisecond. */
function after(moment: Sql, id: Sql, from: SyncPosition): Sql {
  return from.id === null
    ? sql`${moment} > ${from.at}`
    : sql`(${moment}, ${id}) > (${from.at}::timestamptz, ${from.id}::uuid)`;
}

async function documentsAfter(
  reader: Reader,
  { actor, appUrl }: ReadContext,
  request: ListRequest,
  from: SyncPosition,
  limit: number,
): Promise<Entry[]> {
  const range = sql` AND ${after(sql`d."updatedAt"`, sql`d.id`, from)}`;
  const where = sql`d."deletedAt" IS NULL AND ${statusCondition(request.status)} AND ${readableDocuments(actor)}${range}${placeConditions(actor, request)}`;
  const order = sql`d."updatedAt"`;
  const filters = filterConditions(actor, request, { where, range, order, rows: limit + 1 });
  const rows = await reader.rows<DocumentRow>(sql`
    SELECT ${documentColumns(actor, { markdown: request.format === "markdown" })} FROM (
      SELECT d.* FROM documents d WHERE ${where}${filters}
      ORDER BY ${order} FETCH FIRST (${limit + 1}::int) ROWS WITH TIES) d ${withBodies}`);
  return rows.map((row) => ({ at: row.updatedAt, id: row.id, shown: presentDocument(row, appUrl) }));
}

async function alone(
  reader: Reader,
  context: ReadContext,
  request: ListRequest,
  from: SyncPosition,
  limit: number,
): Promise<Page> {
  return cut(await documentsAfter(reader, context, request, from, limit), limit);
}

async function merged(
  reader: Reader,
  context: ReadContext,
  request: ListRequest,
  from: SyncPosition,
  limit: number,
): Promise<Page> {
  const documents = await documentsAfter(reader, context, request, from, limit);
  const tombstones = await tombstonesAfter(reader, context.actor, request, from, limit);
  return cut([...documents, ...tombstones], limit);
}

/** Tombstones of documents that the caller could see where they were, and does not see in this sync any more. */
async function tombstonesAfter(
  reader: Reader,
  actor: Actor,
  request: ListRequest,
  from: SyncPosition,
  limit: number,
): Promise<Entry[]> {
  const { collectionId } = request;
  const there = collectionId === undefined ? empty : sql`AND s."collectionId" = ${collectionId}::uuid`;
  const here = collectionId === undefined ? empty : sql`AND d."collectionId" = ${collectionId}::uuid`;
  // The last of each document, in their order. What has to be absent is asked for by scalar subqueries: each is one look-up,
  // where the planner would make of NOT EXISTS a pass over all documents.
  const rows = await reader.rows<TombstoneRow>(sql`
    WITH left_behind AS NOT MATERIALIZED (SELECT s.* FROM tombstones s WHERE ${readableTombstones(actor)} ${there})
    SELECT t."documentId" AS id, t.at FROM left_behind t WHERE ${after(sql`t.at`, sql`t."documentId"`, from)}
      AND (SELECT TRUE FROM left_behind later WHERE later."documentId" = t."documentId" AND (later.at, later.id) > (t.at, t.id) LIMIT 1) IS NULL
      AND (SELECT TRUE FROM documents d WHERE d.id = t."documentId" AND d."deletedAt" IS NULL
        AND d."archivedAt" IS NULL AND ${readableDocuments(actor)} ${here} LIMIT 1) IS NULL
    ORDER BY t.at FETCH FIRST (${limit + 1}::int) ROWS WITH TIES`);
  return rows.map((row) => ({
    at: row.at,
    id: row.id,
    shown: { id: row.id, deletedAt: timestamp(row.at), tombstone: true },
  }));
}

/** The first `limit` entries, and whatever else shares the last one's millisecond. */
function cut(entries: Entry[], limit: number): Page {
  const sorted = entries.sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
  const boundary = sorted[limit - 1];
  if (boundary === undefined || sorted.length === limit) return { rows: sorted, hasMore: false };
  const rows = sorted.filter((entry) => entry.at.getTime() <= boundary.at.getTime());
  // When the tie took all that was read, there may be more behind it: the next page tells.
  return { rows, hasMore: true };
}
