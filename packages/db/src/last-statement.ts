import type { Reader, Statement } from "./sql.ts";

/**
 * The last statement of a transaction and the result that its rows give. A transaction whose function returns one sends it
 * together with COMMIT, after everything else that the function has sent: its locks are held only while PostgreSQL works.
 */
export class LastStatement<T> {
  /** Runs it by a function that returns the rows of a statement. To run it earlier, pass `tx.rows` and return the result. */
  readonly runBy: (rows: Reader["rows"]) => Promise<T>;

  constructor(runBy: (rows: Reader["rows"]) => Promise<T>) {
    this.runBy = runBy;
  }
}

/** Returns a last statement. `resultOf` only reads the rows, because the change may have been committed. */
export const lastStatement = <Row, T>(statement: Statement, resultOf: (rows: readonly Row[]) => T): LastStatement<T> =>
  new LastStatement(async (rows) => resultOf(await rows<Row>(statement)));
