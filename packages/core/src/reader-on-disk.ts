import type { Database, Reader } from "@kb/db";

/**
 * Returns a reader whose documents are on the disk when it returns them. A crash of PostgreSQL can undo a change that its writer
 * has not been told of, and the next change then has the same revision: a client that was shown the first would overwrite the
 * second one with `If-Match`. Rows with a `revision` name the time of its change as `updatedAt`, those of the history as
 * `createdAt`.
 */
export function readerOnDisk(reader: Reader, database: Pick<Database, "changeOnDisk">, teamId: string): Reader {
  const wait = async (rows: readonly unknown[]): Promise<void> => {
    const at = latestChange(rows);
    if (at !== undefined) await database.changeOnDisk(teamId, at);
  };
  return {
    rows: async <T>(statement: Parameters<Reader["rows"]>[0]) => {
      const rows = await reader.rows<T>(statement);
      await wait(rows);
      return rows;
    },
    rowsOfEach: async <T extends unknown[]>(statements: Parameters<typeof reader.rowsOfEach<T>>[0]) => {
      const rows = await reader.rowsOfEach<T>(statements);
      await wait(rows.flat());
      return rows;
    },
  };
}

/** Returns the time of the latest change among the documents; undefined if no row has a revision. */
function latestChange(rows: readonly unknown[]): Date | undefined {
  let latest: Date | undefined;
  for (const row of rows) {
    const at = changeTime(row);
    if (at !== undefined && (latest === undefined || at > latest)) latest = at;
  }
  return latest;
}

function changeTime(row: unknown): Date | undefined {
  if (typeof row !== "object" || row === null || !("revision" in row) || row.revision === null) return undefined;
  const at = "updatedAt" in row ? row.updatedAt : "createdAt" in row ? row.createdAt : undefined;
  return at instanceof Date ? at : undefined;
}
