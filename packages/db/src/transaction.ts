import type { QueryConfig, QueryResult } from "pg";
import type { ConnectionPool } from "./connections.ts";
import { DatabaseUnavailableError, isRetryable, translated } from "./errors.ts";
import type { Models, RootClient } from "./models.ts";
import { rowTypes } from "./row-types.ts";
import { type Reader, type Sql, sql } from "./sql.ts";
import type { Statements } from "./statements.ts";

/** One transaction: the guarded models and raw statements, on one connection. */
export type Tx = Models &
  Reader & {
    /** Runs one statement and gives the number of rows that it touched. */
    execute(statement: Sql): Promise<number>;
  };

/** Times in milliseconds. */
export type TransactionOptions = {
  /** The whole transaction, from BEGIN to COMMIT. Default 15,000. */
  timeoutMs?: number;
};

const defaultTimeoutMs = 15_000;
// Slightly more than the pool's own wait, so that the pool's clearer error comes first.
const maxWaitMs = 3_500;
// Prisma rolls back when its time is up, also between two statements of ours, and the next would then commit by itself:
// the time is up for our statements before it is for Prisma.
const prismaGraceMs = 1_000;
const maxAttempts = 4;

/** What transactions run on. */
export type TransactionHost = { client: RootClient; pool: ConnectionPool; statements: Statements };

/**
 * Runs `run` in one READ COMMITTED transaction. A deadlock or serialization failure rolls back and runs it again, at most
 * three times; everything else is thrown as it is. `run` must have no effect outside the transaction.
 */
export async function transaction<T>(
  host: TransactionHost,
  run: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(host, run, options, false);
    } catch (error) {
      if (!isRetryable(error) || attempt === maxAttempts) throw translated(error);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** Runs `run` on one snapshot: REPEATABLE READ, READ ONLY. */
export async function readTransaction<T>(
  host: TransactionHost,
  run: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  try {
    return await once(host, run, options, true);
  } catch (error) {
    throw translated(error);
  }
}

function once<T>(
  { client, pool, statements }: TransactionHost,
  run: (tx: Tx) => Promise<T>,
  { timeoutMs = defaultTimeoutMs }: TransactionOptions,
  snapshot: boolean,
): Promise<T> {
  const settings = { maxWait: maxWaitMs, timeout: timeoutMs + prismaGraceMs };
  let endsAt = Number.POSITIVE_INFINITY;
  return pool.holding((holder) => {
    const query = (statement: Sql): Promise<QueryResult> => {
      statements.guard(statement.text);
      if (holder.connection === undefined) throw new Error("the transaction has ended");
      if (performance.now() > endsAt) throw new DatabaseUnavailableError(new Error(`took longer than ${timeoutMs} ms`));
      return holder.connection.query(queryOf(statement, statements)).catch((error: unknown) => {
        throw translated(error);
      });
    };
    const work = async (models: Models): Promise<T> => {
      endsAt = performance.now() + timeoutMs;
      // Defined, not assigned: an assignment would reach the setter of Prisma's client, which all transactions share.
      const tx: Tx = Object.create(models, {
        rows: { value: async (statement: Sql) => (await query(statement)).rows },
        execute: { value: async (statement: Sql) => (await query(statement)).rowCount ?? 0 },
      });
      if (snapshot) await query(readOnly);
      return pool.outside(() => run(tx));
    };
    return snapshot
      ? client.$transaction(work, { ...settings, isolationLevel: "RepeatableRead" })
      : client.$transaction(work, settings);
  });
}

const readOnly = sql`SET TRANSACTION READ ONLY`;

/** The driver's form of a statement. */
export function queryOf(statement: Sql, statements: Statements): QueryConfig {
  const text = statement.text;
  const name = statements.name(text);
  const config = { text, values: statement.values, types: rowTypes };
  return name === undefined ? config : { name, ...config };
}
