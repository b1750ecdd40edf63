import type { TestCaller } from "./caller.ts";

/** One row of a page of the sync: a document or a tombstone. */
export type SyncRow = Awaited<ReturnType<TestCaller["sync"]>>["data"][number];

/** Returns the time from which a client continues after a row. */
export const timeOfRow = (row: SyncRow): string => ("tombstone" in row ? row.deletedAt : row.updatedAt);

/** Reads all changes since a time, page by page, as a client does that keeps only the time of the last row. */
export async function readAllRows(
  caller: TestCaller,
  updatedSince: string,
  limit: number,
  input: object = {},
): Promise<SyncRow[]> {
  const rows: SyncRow[] = [];
  for (let from = updatedSince; ; ) {
    const page = await caller.sync({ updatedSince: from, limit, ...input });
    rows.push(...page.data);
    const last = page.data.at(-1);
    if (last === undefined || !page.hasMore) return rows;
    from = timeOfRow(last);
  }
}
