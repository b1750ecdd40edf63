import type { Announcement, Announcer } from "./announcer.ts";
import type { ChangesOnDisk } from "./changes-on-disk.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { isRetryable, toUnavailableError } from "./errors.ts";
import { LastStatement } from "./last-statement.ts";
import type { Models } from "./models.ts";
import { type FirstLookUp, OpenTransaction, readOnlySnapshot, readWrite } from "./open-transaction.ts";
import type { LazyPrisma } from "./prisma.ts";
import { type RawSql, rawSql } from "./reader.ts";
import type { Statement } from "./sql.ts";
import type { Statements } from "./statements.ts";
import { TransactionModels } from "./transaction-models.ts";

/** A transaction: the guarded models and raw statements, on one connection. */
export type Tx = Models &
  RawSql & {
    /**
     * Sends a statement in one round trip with the next of the transaction, directly before it. If it fails, the next one
     * rejects; if there is none, the transaction does.
     */
    executeWithNext(statement: Statement): void;
    /** Sends a notification after the commit; subscribers poll as well, because the process may end in between. */
    announce(announcement: Announcement): void;
    /**
     * Runs work after the commit and before `transaction` returns, for data that helps but that nothing depends on: it is
     * lost if the process ends between the two, and its failure is ignored.
     */
    afterCommit(work: AfterCommit): void;
    /** Notes the latest stamp of the transaction: readers of this process need not wait for the disk after its commit. */
    noteStamp(teamId: string, at: Date): void;
  };

/** Options of a transaction. */
export type TransactionOptions = {
  /** Limit in milliseconds from BEGIN to COMMIT. Default 15,000. */
  timeoutMs?: number;
  /** Sent with the first statement, such as the look-up of the caller; each attempt repeats it. */
  lookUp?: FirstLookUp | undefined;
  /**
   * Lets the transaction return only when everything that it read is on the disk, also if it wrote nothing: its result may confirm
   * a change that another one has just made. Default false.
   */
  confirmsReads?: boolean | undefined;
};

const defaultTimeoutMs = 15_000;
const maxAttempts = 4;

/** The client, pool and statements of a database. */
export type TransactionHost = {
  prisma: LazyPrisma;
  /** Makes the models of a transaction. */
  modelsOn: (load: () => Promise<Models>) => Models;
  pool: ConnectionPool;
  statements: Statements;
  announcer: Announcer;
  changesOnDisk: ChangesOnDisk;
  /** Runs a statement outside of transactions. */
  execute: (statement: Statement) => Promise<unknown>;
};

/** The work of a transaction: its result, or the last statement, which gives the result and is sent together with COMMIT. */
export type TransactionWork<T> = (tx: Tx) => Promise<T | LastStatement<T>>;

/** The work that a transaction leaves for the time after its commit. */
type Aftermath = {
  readonly announcements: Announcement[];
  readonly work: AfterCommit[];
  readonly stamps: { readonly teamId: string; readonly at: Date }[];
};

/** Work that runs statements outside of the transaction. */
type AfterCommit = (execute: (statement: Statement) => Promise<unknown>) => Promise<void>;

/**
 * Runs `run` in a READ COMMITTED transaction. Repeats it at most three times after a deadlock or serialization failure;
 * throws every other error. `run` must have no effect outside of the transaction.
 */
export async function transaction<T>(
  host: TransactionHost,
  run: TransactionWork<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const aftermath: Aftermath = { announcements: [], work: [], stamps: [] };
    try {
      const result = await runOnce(host, run, options, { begin: readWrite, aftermath });
      await finish(host, aftermath);
      return result;
    } catch (error) {
      if (!isRetryable(error) || attempt === maxAttempts) throw toUnavailableError(error);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

async function finish(
  { announcer, changesOnDisk, execute }: TransactionHost,
  { announcements, work, stamps }: Aftermath,
): Promise<void> {
  for (const { teamId, at } of stamps) changesOnDisk.note(teamId, at);
  for (const announcement of announcements) announcer.announce(announcement);
  for (const run of work) await run(execute).catch(() => {});
}

/** Runs `run` in a REPEATABLE READ, READ ONLY transaction. */
export async function readTransaction<T>(
  host: TransactionHost,
  run: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  try {
    return await runOnce(host, run, options, {
      begin: readOnlySnapshot,
      aftermath: { announcements: [], work: [], stamps: [] },
    });
  } catch (error) {
    throw toUnavailableError(error);
  }
}

async function runOnce<T>(
  host: TransactionHost,
  run: TransactionWork<T>,
  { timeoutMs = defaultTimeoutMs, lookUp, confirmsReads }: TransactionOptions,
  { begin, aftermath }: { readonly begin: Statement; readonly aftermath: Aftermath },
): Promise<T> {
  const connection = await host.pool.connect();
  const open = new OpenTransaction(connection, host.statements, { begin, lookUp, timeoutMs, confirmsReads });
  const models = new TransactionModels(host.prisma, host.pool, open, connection);
  try {
    const result = await run(txOf(host, open, models, aftermath));
    await models.end();
    if (result instanceof LastStatement) {
      return await result.runBy(rawSql((list) => open.sendAndCommit(list, result.unlocks)).rows);
    }
    await open.commit();
    return result;
  } catch (error) {
    await models.end();
    await open.rollBack();
    throw error;
  }
}

function txOf(host: TransactionHost, open: OpenTransaction, models: TransactionModels, aftermath: Aftermath): Tx {
  const { rows, rowsOfEach, execute } = rawSql((list) => open.send(list));
  return Object.assign(
    host.modelsOn(() => models.load()),
    {
      rows,
      rowsOfEach,
      execute,
      executeWithNext: (statement: Statement) => open.queue(statement),
      announce: (announcement: Announcement) => void aftermath.announcements.push(announcement),
      afterCommit: (work: AfterCommit) => void aftermath.work.push(work),
      noteStamp: (teamId: string, at: Date) => void aftermath.stamps.push({ teamId, at }),
    },
  );
}
