import { sqlState } from "./errors.ts";
import { withReservedConnections } from "./reserved-connections.ts";
import { type Sql, sql } from "./sql.ts";

/** The known state of the disk of PostgreSQL. */
export type SpaceWatch = {
  /** Whether the last write failed because the disk is full. A write that succeeds resets it. */
  isOutOfSpace(): boolean;
  /** Writes a temporary table, as a write that shows whether there is space again. Uses the reserved connections. */
  probeSpace(): Promise<void>;
};

/** Extends a relation by more than a hundred kilobytes; the table is gone when the statement ends. */
const spaceProbe = sql`CREATE TEMP TABLE kb_space_probe ON COMMIT DROP AS SELECT number FROM generate_series(1, 4000) number`;

/** Returns whether PostgreSQL refused a write because its disk is full. */
/** Returns whether a statement failed because the disk of PostgreSQL is full. */
export const isDiskFull = (error: unknown): boolean => sqlState(error) === "53100";

/** Watches writes for those that fail because the disk is full (SQLSTATE 53100). */
export class DiskSpace {
  #full = false;

  /** Returns the function with the same result, and remembers its failures. */
  noteFailures<Arguments extends unknown[], T>(send: (...given: Arguments) => Promise<T>) {
    return async (...given: Arguments): Promise<T> => {
      try {
        return await send(...given);
      } catch (error) {
        this.#noteFailure(error);
        throw error;
      }
    };
  }

  /** Runs a write and remembers whether it succeeded. */
  async watch<T>(write: () => Promise<T>): Promise<T> {
    try {
      const result = await write();
      this.#full = false;
      return result;
    } catch (error) {
      this.#noteFailure(error);
      throw error;
    }
  }

  #noteFailure(error: unknown): void {
    if (isDiskFull(error)) this.#full = true;
  }

  /** Returns what edges may know; `query` runs one statement. */
  watchBy(query: (statement: Sql) => Promise<unknown>): SpaceWatch {
    const probe = () => withReservedConnections(() => query(spaceProbe));
    return {
      isOutOfSpace: () => this.#full,
      probeSpace: async () => void (await this.watch(probe)),
    };
  }
}
