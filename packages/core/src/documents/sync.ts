import { type Actor, readableDocuments, readableTombstones } from "@kb/auth";
import { empty, type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import type { ReadContext } from "../context.ts";
import { invalid, ServiceError } from "../errors.ts";
import { ListedDocument, selectFields } from "../schema/document.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { type BodyColumns, listedBodies } from "./body-parts.ts";
import { filterConditions, statusCondition } from "./filters.ts";
import { type ListRequest, placeConditions } from "./list-request.ts";
import { rowsWithinPage } from "./page-bytes.ts";
import { type PageRow, rowsOfPage, toPageRow } from "./page-parts.ts";
import { documentReader } from "./read-documents.ts";
import { type DocumentRow, documentColumns, partsFor, presentDocument, withBodies } from "./row.ts";
import { accessFingerprints, decodeSyncCursor, encodeSyncCursor, type SyncPosition } from "./sync-cursor.ts";
import { tombstoneTtlMs } from "./tombstones.ts";

/** The default page size of the incremental sync. */
const syncDefault = 500;

/** A document that the caller can no longer see in the sync. */
export const Tombstone = z
  .object({ id: z.uuid(), deletedAt: Timestamp, tombstone: z.literal(true) })
  .meta({ id: "Tombstone" });

/** A page of the incremental sync, oldest change first. `nextCursor` also continues the sync later. */
export const SyncPage = z
  .object({
    limit: z.int(),
    data: z.array(z.union([Tombstone, ListedDocument])),
    hasMore: z.boolean(),
    nextCursor: z.string(),
  })
  .meta({ id: "SyncPage" });

type TombstoneRow = { id: string; at: Date };

/**
 * Reads a page of the sync. Changes become visible in the order of their `updatedAt`, because the team's clock is
 * locked until commit: later commits are always after the client's position. Rows of one millisecond stay on one page.
 */
export async function syncDocuments(context: ReadContext, request: ListRequest): Promise<z.input<typeof SyncPage>> {
  const { actor, now, database } = context;
  if (request.deleted !== undefined)
    throw invalid("deleted", "Not allowed in the incremental sync; use includeDeleted");
  if (request.offset !== undefined) throw invalid("offset", "Not allowed in the incremental sync; use cursor");
  if (request.linksTo !== undefined) throw invalid("linksTo", "Not allowed in the incremental sync");
  if (request.sort !== undefined) throw invalid("sort", "Not allowed in the incremental sync");
  const limit = request.limit ?? syncDefault;
  const cursor = request.cursor === undefined ? undefined : decodeSyncCursor(request.cursor);
  const from = cursor?.position ?? { at: request.updatedSince ?? new Date(0), id: null };
  requireWindow(request, from, now);
  const fingerprints = await accessFingerprints(database, actor, cursor?.madeAt ?? now, now);
  if (cursor !== undefined && cursor.access !== fingerprints.asOfCursor) throw windowExpired("Your access has changed");
  const page = request.includeDeleted
    ? // One snapshot for both, or a change between the two reads would slip under the cursor.
      await database.readTransaction((tx) => readDocumentsAndTombstones(tx, context, request, from, limit))
    : await readDocuments(database, context, request, from, limit);
  const last = page.rows.at(-1);
  // The position outlives a crash of PostgreSQL, so it must not be after a change that the crash undoes.
  if (last !== undefined) await database.changeOnDisk(actor.teamId, last.at);
  const position = last === undefined ? from : { at: last.at, id: last.id };
  return {
    limit,
    data: await rowsOfPage(
      page.rows.map(({ row }) => row),
      {
        call: context.call,
        read: documentReader(context, partsFor(request.fields, request.format), visibilityOf(actor, request)),
        // A document that has changed meanwhile follows later in the order.
        unchangedOnly: true,
        present: presenter(context.appUrl, request),
        schema: ListedDocument,
      },
    ),
    hasMore: page.hasMore,
    nextCursor: encodeSyncCursor({ position, madeAt: fingerprints.madeAt, access: fingerprints.asOfNow }),
  };
}

function requireWindow(request: ListRequest, from: SyncPosition, now: Date): void {
  if (request.includeDeleted !== true || from.at.getTime() >= now.getTime() - tombstoneTtlMs) return;
  throw windowExpired("Deleted documents are only listed for 90 days");
}

function windowExpired(reason: string): ServiceError {
  return new ServiceError(
    "sync_window_expired",
    `${reason}. Start again without \`includeDeleted\` and \`cursor\`, then continue from the last row.`,
  );
}

type Shown = z.input<typeof SyncPage>["data"][number];
type Entry = { at: Date; id: string; bytes: number; row: PageRow<Shown> };
type Page = { rows: Entry[]; hasMore: boolean };

/**
 * Returns the condition for rows after the position. A position without an id is a time, and excludes its whole
 * millisecond.
 */
function afterPosition(moment: Sql, id: Sql, from: SyncPosition): Sql {
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
  const range = sql` AND ${afterPosition(sql`d."updatedAt"`, sql`d.id`, from)}`;
  const where = sql`${visibilityOf(actor, request)}${range}${placeConditions(actor, request)}`;
  const order = sql`d."updatedAt"`;
  const filters = filterConditions(actor, request, { where, range, order, rows: limit + 1 });
  const parts = partsFor(request.fields, request.format);
  const rows = await reader.rows<DocumentRow & BodyColumns>(sql`
    SELECT ${documentColumns(actor, parts, listedBodies(parts, sql`d."updatedAt", d.id`))} FROM (
      SELECT d.* FROM documents d WHERE ${where}${filters}
      ORDER BY ${order} FETCH FIRST (${limit + 1}::int) ROWS WITH TIES) d ${withBodies}`);
  const toRow = toPageRow(presenter(appUrl, request));
  return rows.map((row) => ({ at: row.updatedAt, id: row.id, bytes: row.bodyBytes, row: toRow(row) }));
}

/** Returns the condition for documents that the sync may show. */
const visibilityOf = (actor: Actor, { status }: ListRequest): Sql =>
  sql`d."deletedAt" IS NULL AND ${statusCondition(status)} AND ${readableDocuments(actor)}`;

const presenter =
  (appUrl: string, { fields }: ListRequest) =>
  (row: DocumentRow): Shown =>
    selectFields(presentDocument(row, appUrl), fields);

async function readDocuments(
  reader: Reader,
  context: ReadContext,
  request: ListRequest,
  from: SyncPosition,
  limit: number,
): Promise<Page> {
  return cutPage(await documentsAfter(reader, context, request, from, limit), limit);
}

async function readDocumentsAndTombstones(
  reader: Reader,
  context: ReadContext,
  request: ListRequest,
  from: SyncPosition,
  limit: number,
): Promise<Page> {
  const documents = await documentsAfter(reader, context, request, from, limit);
  const tombstones = await tombstonesAfter(reader, context.actor, request, from, limit);
  return cutPage([...documents, ...tombstones], limit);
}

/** Reads the tombstones of documents that the caller could see in their old place and no longer sees in this sync. */
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
  // The last tombstone of each document, in order. Scalar subqueries test for absence: each is one look-up, where the
  // planner would turn NOT EXISTS into a scan of all documents.
  const rows = await reader.rows<TombstoneRow>(sql`
    WITH left_behind AS NOT MATERIALIZED (SELECT s.* FROM tombstones s WHERE ${readableTombstones(actor)} ${there})
    SELECT t."documentId" AS id, t.at FROM left_behind t WHERE ${afterPosition(sql`t.at`, sql`t."documentId"`, from)}
      AND (SELECT TRUE FROM left_behind later WHERE later."documentId" = t."documentId" AND (later.at, later.id) > (t.at, t.id) LIMIT 1) IS NULL
      AND (SELECT TRUE FROM documents d WHERE d.id = t."documentId" AND d."deletedAt" IS NULL
        AND d."archivedAt" IS NULL AND ${readableDocuments(actor)} ${here} LIMIT 1) IS NULL
    ORDER BY t.at FETCH FIRST (${limit + 1}::int) ROWS WITH TIES`);
  return rows.map((row) => ({
    at: row.at,
    id: row.id,
    bytes: 0,
    row: { shown: { id: row.id, deletedAt: timestamp(row.at), tombstone: true } },
  }));
}

/**
 * Returns the first `limit` entries, or those up to `maxPageBytes` of bodies if they are fewer, and all others of the last
 * one's millisecond.
 */
function cutPage(entries: Entry[], limit: number): Page {
  const sorted = entries.sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
  const most = rowsWithinPage(
    sorted.map(({ bytes }) => bytes),
    limit,
  );
  const boundary = sorted[most - 1];
  if (boundary === undefined || sorted.length === most) return { rows: sorted, hasMore: false };
  const rows = sorted.filter((entry) => entry.at.getTime() <= boundary.at.getTime());
  // If that millisecond used up all rows that were read, more may follow: the next page tells.
  return { rows, hasMore: true };
}
