import type pg from "pg";
import { DatabaseUnavailableError, toUnavailableError } from "./errors.ts";
import type { Unlocking } from "./last-statement.ts";
import { type Named, type Outcome, send } from "./round-trip.ts";
import { type Statement, sql } from "./sql.ts";
import type { Statements } from "./statements.ts";

// The transaction is rolled back this long after its last statement was accepted, so that none commits by itself.
const graceMs = 1_000;

type State = "open" | "expired" | "ended";

/**
 * A look-up that is sent with the first statement of a transaction. `check` receives its rows before the transaction goes on,
 * and throws to roll it back. The tenant guard does not check it, because it finds the team.
 */
export type FirstLookUp = { readonly statement: Statement; readonly check: (rows: readonly unknown[]) => void };

/** The way in which a transaction begins, and its limit in milliseconds. */
export type Opening = {
  readonly begin: Statement;
  readonly lookUp?: FirstLookUp | undefined;
  readonly timeoutMs: number;
  /** See `TransactionOptions`. */
  readonly confirmsReads?: boolean | undefined;
};

/** A transaction on a connection of the pool. BEGIN is sent together with its first statement. */
export class OpenTransaction {
  readonly #connection: pg.PoolClient;
  readonly #statements: Statements;
  readonly #timeoutMs: number;
  readonly #endsAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly #lookUp: FirstLookUp | undefined;
  readonly #confirmsReads: boolean;
  /** The statement that begins it, until it is sent. */
  #begin: Statement | undefined;
  /** Statements that go with the next round trip. */
  #queued: Named[] = [];
  #state: State = "open";
  #rollback: Promise<void> | undefined;

  constructor(connection: pg.PoolClient, statements: Statements, { begin, lookUp, timeoutMs, confirmsReads }: Opening) {
    this.#connection = connection;
    this.#statements = statements;
    this.#begin = begin;
    this.#lookUp = lookUp;
    this.#confirmsReads = confirmsReads === true;
    this.#timeoutMs = timeoutMs;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#expire(), timeoutMs + graceMs);
  }

  /** @throws {Error} unless a statement may be sent */
  requireOpen(): void {
    if (this.#state === "ended") throw new Error("the transaction has ended");
    if (this.#state === "expired" || performance.now() > this.#endsAt) throw this.#tooSlow();
  }

  /** Keeps a statement for the next round trip, which fails if it does. */
  queue(statement: Statement): void {
    const named = this.#statements.guarded(statement);
    this.requireOpen();
    this.#queued.push(named);
  }

  /** Sends statements in one round trip. */
  async send(list: readonly Statement[]): Promise<Outcome[]> {
    const named = list.map(this.#statements.guarded);
    this.requireOpen();
    return this.#trip(named, true);
  }

  /**
   * Sends the last statements and COMMIT in one round trip and releases the connection: their locks are not held while an
   * answer travels. If one fails, the transaction is still open and has to be rolled back.
   */
  async sendAndCommit(list: readonly Statement[], unlocks: Unlocking = "on disk"): Promise<Outcome[]> {
    const isEarly = unlocks === "when made";
    const named = [
      ...list.map(this.#statements.guarded),
      ...(isEarly ? [commitBeforeDisk, commit, reachDisk] : [commit]).map(this.#statements.named),
    ];
    this.requireOpen();
    // Nothing may be committed before the look-up was checked.
    if (this.#begin !== undefined && this.#lookUp !== undefined) await this.#trip([], true);
    this.requireOpen();
    // From here on it may commit at any moment, like a transaction whose COMMIT was sent.
    clearTimeout(this.#timer);
    const outcomes = await this.#trip(named, false);
    this.#end("ended");
    this.#connection.release();
    return outcomes.slice(0, list.length);
  }

  /** Returns the outcomes of the statements, without those of the ones that are sent before them. */
  async #trip(named: readonly Named[], continues: boolean): Promise<Outcome[]> {
    const { before, check } = this.#takeUnsent();
    const outcomes = await send(this.#connection, [...before, ...named], continues).catch((error: unknown) => {
      throw toUnavailableError(error);
    });
    check?.(outcomes);
    return before.length === 0 ? outcomes : outcomes.slice(before.length);
  }

  /** Runs a query of another user of the connection in this transaction. Rejects as a statement sent before it does. */
  async query<T>(run: () => Promise<T>): Promise<T> {
    this.requireOpen();
    const { before, check } = this.#takeUnsent();
    if (before.length === 0) return run();
    // The connection runs one query after the other. If this one fails, so does the next, with an error that hides the cause.
    const sent = send(this.#connection, before, true);
    const [, result] = await Promise.allSettled([sent, run()]);
    const outcomes = await sent.catch((error: unknown) => {
      throw toUnavailableError(error);
    });
    check?.(outcomes);
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }

  /** Commits and releases the connection. @throws {DatabaseUnavailableError} if the transaction took too long */
  async commit(): Promise<void> {
    if (this.#state === "expired") {
      await this.#rollback;
      throw this.#tooSlow();
    }
    // What is queued writes, so that its commit waits for the disk.
    if (this.#confirmsReads && this.#begin === undefined && this.#queued.length === 0) this.queue(reachDisk);
    if (this.#queued.length > 0) {
      await this.sendAndCommit([]);
      return;
    }
    this.#end("ended");
    if (this.#begin !== undefined) return this.#connection.release();
    if ((await this.#finish("COMMIT")) !== "COMMIT") throw new Error("a statement had failed, so nothing was written");
  }

  /** Rolls back and releases the connection, if that has not happened yet. */
  async rollBack(): Promise<void> {
    if (this.#state === "open") this.#beginRollback("ended");
    await this.#rollback;
  }

  /** Frees the locks, even if the work goes on without a statement. */
  #expire(): void {
    if (this.#state === "open") this.#beginRollback("expired");
  }

  #beginRollback(state: State): void {
    this.#end(state);
    if (this.#begin === undefined) this.#rollback = this.#finish("ROLLBACK").then(noop, noop);
    else this.#connection.release();
  }

  /** Sends the last statement, releases the connection, and returns the command that PostgreSQL ran. */
  async #finish(text: "COMMIT" | "ROLLBACK"): Promise<string> {
    try {
      const { command } = await this.#connection.query(text);
      this.#connection.release();
      return command;
    } catch (error) {
      // The state of the connection is unknown.
      this.#connection.release(true);
      throw toUnavailableError(error);
    }
  }

  #end(state: State): void {
    this.#state = state;
    clearTimeout(this.#timer);
  }

  /** Returns BEGIN and the look-up, if they were not sent yet, and the statements that wait for a round trip. */
  #takeUnsent(): { readonly before: Named[]; readonly check?: (outcomes: readonly Outcome[]) => void } {
    const queued = this.#queued;
    const begin = this.#begin;
    const lookUp = this.#lookUp;
    this.#begin = undefined;
    this.#queued = [];
    if (begin === undefined) return { before: queued };
    if (lookUp === undefined) return { before: [this.#statements.named(begin), ...queued] };
    return {
      before: [begin, lookUp.statement].map(this.#statements.named).concat(queued),
      check: ([, found]) => lookUp.check(found?.rows ?? []),
    };
  }

  #tooSlow(): DatabaseUnavailableError {
    return new DatabaseUnavailableError(new Error(`took longer than ${this.#timeoutMs} ms`));
  }
}

const noop = (): void => {};

const commit: Statement = sql`COMMIT`;
/** Lets this transaction's commit not wait for the disk. */
const commitBeforeDisk: Statement = sql`SET LOCAL synchronous_commit = off`;

/**
 * Returns when everything that was committed before is on the disk, as `synchronous_commit` demands: its own commit waits for
 * the disk, because it writes to the log, and the log is written in order.
 */
export const reachDisk: Statement = sql`SELECT pg_logical_emit_message(true, 'kb', '')::text AS position`;

/** Begins a transaction that writes. */
export const readWrite: Statement = sql`BEGIN`;
/** Begins a transaction that reads one snapshot. */
export const readOnlySnapshot: Statement = sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
