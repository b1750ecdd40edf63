import type pg from "pg";
import { toUnavailableError } from "./errors.ts";
import type { Send } from "./reader.ts";
import { type Named, send } from "./round-trip.ts";
import type { Statement } from "./sql.ts";

/** Sends statements on a connection of the pool, each list in one round trip outside of any transaction. */
export function sendOn(pool: pg.Pool, prepare: (statement: Statement) => Named): Send {
  return async (statements) => {
    const named = statements.map(prepare);
    try {
      const connection = await pool.connect();
      try {
        return await send(connection, named, false);
      } finally {
        connection.release();
      }
    } catch (error) {
      throw toUnavailableError(error);
    }
  };
}
