import type { Reader, Statement } from "./sql.ts";

/**
 * The last statement of a transaction and the result that its rows give. A transaction whose function returns one sends it
 * together with COMMIT, after everything else that the function has sent: its locks are held only while PostgreSQL works.
 */
export class LastStatement<T> {
  /** Runs it by a function that returns the rows of a statement. To run it earlier, pass `tx.rows` and return the result. */
  readonly runBy: (rows: Reader["rows"]) => Promise<T>;
  readonly unlocks: Unlocking;

  constructor(runBy: (rows: Reader["rows"]) => Promise<T>, unlocks: Unlocking = "on disk") {
    this.runBy = runBy;
    this.unlocks = unlocks;
  }
}

/**
 * The moment at which a commit frees its locks and shows its rows: when it is on the disk, or as soon as it is made. Either way
 * the transaction returns only once it is on the disk. Changes that wait for the same lock reach the disk together if they are
 * shown when made, but a crash of PostgreSQL can then undo a change that others have read, and that nobody has confirmed.
 * Readers who give out a revision or a position therefore wait by `database.changeOnDisk`.
 */
export type Unlocking = "on disk" | "when made";

/** Returns a last statement. `resultOf` only reads the rows, because the change may have been committed. */
export const lastStatement = <Row, T>(
  statement: Statement,
  resultOf: (rows: readonly Row[]) => T,
  unlocks?: Unlocking,
): LastStatement<T> => new LastStatement(async (rows) => resultOf(await rows<Row>(statement)), unlocks);
