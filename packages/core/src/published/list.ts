import { type ChannelReader, channelDocuments } from "@kb/auth";
import { empty, type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { withBodies } from "../documents/row.ts";
import { channelQuery } from "../operation.ts";
import { Limit } from "../schema/paging.ts";
import { Id, Instant, Timestamp, timestamp } from "../schema/text.ts";
import { PublishedDocument, type PublishedRow, presentPublished, publishedColumns } from "./document.ts";

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

/** What a channel shows, newest first. A page may hold more than `limit`: rows of one millisecond stay together. */
export const listPublished = channelQuery({
  name: "published.list",
  summary: "List published documents",
  description:
    "Newest first. `nextCursor` is the `updatedAt` of the last row, null at the end. Rows that share a millisecond are never split by a page, so a page may hold more rows than `limit`.",
  input,
  output: PublishedPage,
  async run({ reader, channel }, request) {
    const rows = await readPage(reader, channel, request);
    const boundary = rows[request.limit - 1]?.updatedAt;
    const page = boundary === undefined ? rows : rows.filter((row) => row.updatedAt >= boundary);
    const more =
      rows.length > page.length || (rows.length > request.limit && (await goesOn(reader, channel, request, rows)));
    const last = page.at(-1);
    return {
      data: page.map(presentPublished),
      nextCursor: more && last !== undefined ? timestamp(last.updatedAt) : null,
    };
  },
});

/** The rows of the page, the first one behind it, and whatever shares a millisecond with the last of them. */
function readPage(reader: Reader, channel: ChannelReader, request: Request): Promise<PublishedRow[]> {
  const rows = request.limit + 1;
  const bounds = range(request.updatedSince, request.cursor);
  return reader.rows<PublishedRow>(sql`SELECT ${publishedColumns(channel)} FROM (SELECT d.* FROM documents d
    WHERE ${channelDocuments(channel, { range: bounds, order, rows })}${bounds}
    ORDER BY ${order} FETCH FIRST (${rows}::int) ROWS WITH TIES) d ${withBodies}
    ORDER BY ${order}, d.id DESC`);
}

const order = sql`d."updatedAt" DESC`;

/** Where one millisecond took all that was read, whether there is anything older. */
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

/** `AND …`: after one moment and before the other, both exclusive. */
function range(since: Date | undefined, before: Date | undefined): Sql {
  return sql`${since === undefined ? empty : sql` AND d."updatedAt" > ${since}`}${
    before === undefined ? empty : sql` AND d."updatedAt" < ${before}`
  }`;
}
