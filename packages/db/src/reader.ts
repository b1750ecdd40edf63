import { DatabaseUnavailableError } from "./errors.ts";
import type { Outcome } from "./round-trip.ts";
import type { Reader, RowsOf, Statement } from "./sql.ts";

/** Sends statements in one round trip. @throws {TenantGuardError} for one that names no team, where that is required */
export type Send = (statements: readonly Statement[]) => Promise<Outcome[]>;

/** Raw SQL: a reader that also changes rows. */
export type RawSql = Reader & {
  /** Runs a statement; returns the number of affected rows. */
  execute(statement: Statement): Promise<number>;
};

/** Returns the forms in which raw statements are sent. */
export function rawSql(send: Send): RawSql {
  return {
    rows: async <T>(statement: Statement) => rowsOf<T>((await send([statement]))[0]),
    rowsOfEach: async <T extends unknown[]>(statements: readonly Statement[]) => rowsOfEach<T>(await send(statements)),
    execute: async (statement) => (await send([statement]))[0]?.count ?? 0,
  };
}

/** A reader whose first round trip also carries a look-up. */
export type JoinedLookUp<T> = {
  readonly reader: Reader;
  /** Returns the rows of the look-up; sends it by itself where nothing was read. */
  lookUp(): Promise<T[]>;
};

/** Joins a look-up to the first round trip of a reader. It runs before the statements of the reader. */
export function joinLookUp<T>(statement: Statement, sendLookUp: Send, sendBoth: Send, send: Send): JoinedLookUp<T> {
  let found: Promise<T[]> | undefined;
  const alone = async (): Promise<T[]> => rowsOf<T>((await sendLookUp([statement]))[0]);
  const reader = rawSql(async (statements) => {
    if (found !== undefined) return send(statements);
    const both = sendBoth([statement, ...statements]);
    found = both.then(
      ([first]) => rowsOf<T>(first),
      (error: unknown) => {
        if (error instanceof DatabaseUnavailableError) throw error;
        // A statement of the reader failed. The look-up is still needed: it decides whether the caller may know.
        return alone();
      },
    );
    found.catch(() => {});
    return (await both).slice(1);
  });
  return {
    reader,
    lookUp: () => {
      found ??= alone();
      return found;
    },
  };
}

/** Types the rows: the statement selects the columns of `T`. */
function rowsOf<T>(outcome: Outcome | undefined): T[] {
  return (outcome?.rows ?? []) as T[];
}

/** Types the rows of each statement: they select the columns of `T`. */
export function rowsOfEach<T extends unknown[]>(outcomes: readonly Outcome[]): RowsOf<T> {
  return outcomes.map(({ rows }) => rows) as RowsOf<T>;
}
