import { type Reader, type Sql, sql } from "@kb/db";

/** The parts of a list query. `from` includes the conditions. */
type ListQuery = { readonly columns: Sql; readonly from: Sql; readonly orderBy: Sql };

type PageRequest = { readonly limit: number; readonly offset: number };

/** Reads a page of a list and counts the whole list: 2 statements in one round trip. Returns the page as lists show it. */
export async function readPage<Row, Shown>(
  reader: Reader,
  { columns, from, orderBy }: ListQuery,
  { limit, offset }: PageRequest,
  present: (row: Row) => Shown,
): Promise<{ total: number; limit: number; offset: number; data: Shown[] }> {
  const [rows, [counted]] = await reader.rowsOfEach<[Row, { total: number }]>([
    sql`SELECT ${columns} FROM ${from} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`,
    sql`SELECT count(*)::int AS total FROM ${from}`,
  ]);
  return { total: counted?.total ?? 0, limit, offset, data: rows.map(present) };
}
