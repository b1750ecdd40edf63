import { type ChannelReader, channelDocuments } from "@kb/auth";
import { empty, type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { type BodyColumns, listedBodies } from "../documents/body-parts.ts";
import { rowsWithinPage } from "../documents/page-bytes.ts";
import { type PageRow, rowsOfPage, toPageRow } from "../documents/page-parts.ts";
import { withBodies } from "../documents/row.ts";
import { channelQuery } from "../operation.ts";
import { Limit } from "../schema/paging.ts";
import { Id, Instant, Timestamp, timestamp } from "../schema/text.ts";
import {
  PublishedDocument,
  type PublishedRow,
  presentPublished,
  publishedColumns,
  publishedParts,
} from "./document.ts";

const input = z.strictObject({
  channelId: Id,
  limit: Limit,
  cursor: Instant.optional(),
  updatedSince: Instant.optional(),
});

type Request = z.output<typeof input>;

/** A page of a channel, newest first. */
const PublishedPage = z
  .object({ data: z.array(PublishedDocument), nextCursor: Timestamp.nullable() })
  .meta({ id: "PublishedPage" });

/**
 * Lists the documents of a channel, newest first. A page ends at `limit` or at `maxPageBytes`, and may exceed both, because
 * rows of one millisecond stay together.
 */
export const listPublished = channelQuery({
  name: "published.list",
  summary: "List published documents",
  description:
    "Newest first. `nextCursor` is the `updatedAt` of the last row; null at the end. A page ends at `limit`, or earlier at 8 MB of bodies. Rows of one millisecond stay together, so that a page may exceed both.",
  input,
  output: PublishedPage,
  async run({ reader, channel, call }, request) {
    const rows = await readPage(reader, channel, request);
    const count = rowsWithinPage(
      rows.map(({ bodyBytes }) => bodyBytes),
      request.limit,
    );
    const boundary = rows[count - 1]?.updatedAt;
    const page = boundary === undefined ? rows : rows.filter((row) => row.updatedAt >= boundary);
    const more =
      rows.length > page.length || (rows.length > request.limit && (await goesOn(reader, channel, request, rows)));
    const last = page.at(-1);
    const present = (row: PublishedRow) => presentPublished(channel, row);
    const toRow = toPageRow(present);
    return {
      data: await rowsOfPage(await inTurn(page, toRow), {
        call,
        read: (ids) => readNow(reader, channel, ids),
        unchangedOnly: false,
        present,
        schema: PublishedDocument,
      }),
      nextCursor: more && last !== undefined ? timestamp(last.updatedAt) : null,
    };
  },
});

/** Renders the rows one after the other: at once, a page would be more work than one channel may have waiting. */
async function inTurn<Row, Shown>(
  page: readonly Row[],
  toRow: (row: Row) => PageRow<Promise<Shown>>,
): Promise<PageRow<Shown>[]> {
  const shown: PageRow<Shown>[] = [];
  for (const row of page) shown.push(await awaited(toRow(row)));
  return shown;
}

/** Waits for a row that is shown. */
async function awaited<Shown>(row: PageRow<Promise<Shown>>): Promise<PageRow<Shown>> {
  return "shown" in row ? { shown: await row.shown } : row;
}

/** Reads documents of the page that the channel shows now. */
function readNow(reader: Reader, channel: ChannelReader, ids: readonly string[]): Promise<PublishedRow[]> {
  return reader.rows<PublishedRow>(sql`SELECT ${publishedColumns(channel)} FROM documents d ${withBodies}
    WHERE d."teamId" = ${channel.teamId}::uuid AND d.id = ANY (${ids}::uuid[]) AND ${channelDocuments(channel)}`);
}

/** Reads the rows of the page, the first one after it, and all others of the last one's millisecond. */
function readPage(reader: Reader, channel: ChannelReader, request: Request): Promise<(PublishedRow & BodyColumns)[]> {
  const rows = request.limit + 1;
  const bounds = range(request.updatedSince, request.cursor);
  const listed = listedBodies(publishedParts(channel), sql`${order}, d.id DESC`);
  return reader.rows<
    PublishedRow & BodyColumns
  >(sql`SELECT ${publishedColumns(channel, listed)} FROM (SELECT d.* FROM documents d
    WHERE ${channelDocuments(channel, { range: bounds, order, rows })}${bounds}
    ORDER BY ${order} FETCH FIRST (${rows}::int) ROWS WITH TIES) d ${withBodies}
    ORDER BY ${order}, d.id DESC`);
}

const order = sql`d."updatedAt" DESC`;

/** Tells whether there are older rows, when one millisecond used up all rows that were read. */
async function goesOn(
  reader: Reader,
  channel: ChannelReader,
  request: Request,
  rows: readonly PublishedRow[],
): Promise<boolean> {
  const bounds = range(request.updatedSince, rows.at(-1)?.updatedAt);
  const [older] = await reader.rows(sql`SELECT 1 FROM documents d
    WHERE ${channelDocuments(channel, { range: bounds, order, rows: 1 })}${bounds} LIMIT 1`);
  return older !== undefined;
}

/** Returns `AND …` for rows between two times, both exclusive. */
function range(since: Date | undefined, before: Date | undefined): Sql {
  return sql`${since === undefined ? empty : sql` AND d."updatedAt" > ${since}`}${
    before === undefined ? empty : sql` AND d."updatedAt" < ${before}`
  }`;
}
