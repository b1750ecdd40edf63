import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { ConnectionPool } from "../connection-pool.ts";
import { DatabaseUnavailableError, sqlState, toUnavailableError } from "../errors.ts";
import { readOnlySnapshot } from "../open-transaction.ts";
import { type PoolOptions, poolDefaults } from "../pool.ts";
import { rawSql } from "../reader.ts";
import { type Outcome, send } from "../round-trip.ts";
import { sendOn } from "../send-on.ts";
import { type Reader, type Statement, sql } from "../sql.ts";
import type { Statements } from "../statements.ts";
import { Replay, type ReplicaState } from "./replay.ts";
import { type PrimaryFacts, type ReplicaFacts, readReplicaFacts, serverStart } from "./replica-facts.ts";

/** A team, the time of its clock up to which its changes must have been replayed, and the start of the server that told the time. */
export type Reached = { readonly teamId: string; readonly at: Date; readonly startedAt: number };

/** Why a replica did not answer: it has not replayed the changes yet, or all its connections are in use. */
export type Refusal = "behind" | "busy";

/** The state of a replica for operators. */
export type ReplicaReport = {
  /** The host, port and database of its address: several replicas may be behind one pooler. */
  readonly host: string;
  readonly state: ReplicaState;
  /** How far it was behind at the last check. */
  readonly lagMs: number;
  /** The error of the last check; undefined if it was made. */
  readonly problem: unknown;
};

/** A request waits this long, three times at most, for changes that are on their way to the replica. */
const waitsMs = [2, 4, 8];

const connectTimeoutMs = 1_000;
/** The primary answers sooner than a connection that is not free after this time. */
const freeWithinMs = 50;
/** The primary has to answer what takes longer, for instance because replay holds a lock. */
const statementTimeoutMs = 3_000;

/** `END` is COMMIT, which a trip would count as a wait for the disk (`RoundTrip.waitsForOthers`): a replica writes nothing. */
const end: Statement = sql`END`;

/** One read replica, with connections of its own. */
export class Replica {
  readonly host: string;
  readonly #pool: ConnectionPool;
  readonly #statements: Statements;
  /** Of the checks alone, so that reads which take all connections make it neither slow nor down. */
  readonly #checks: ConnectionPool;
  readonly #facts: Reader;
  /** The servers that the last check compared. */
  #compared: { readonly primary: number; readonly replica: number } | undefined;
  readonly #replay = new Replay();
  #state: ReplicaState = "unchecked";
  #lagMs = 0;
  #problem: unknown;

  /** @param number its place among the addresses, from 1, which names its connections */
  constructor(url: string, number: number, options: Omit<PoolOptions, "url">, statements: Statements) {
    const { applicationName = poolDefaults.applicationName, poolMax = poolDefaults.poolMax } = options;
    const { host, pathname } = new URL(url);
    this.host = `${host}${pathname}`;
    const open = (use: string, connections: number) =>
      new ConnectionPool({
        ...options,
        url,
        connectTimeoutMs,
        statementTimeoutMs,
        poolMax: connections,
        applicationName: `${applicationName}-${use}-${number}`,
      });
    this.#pool = open("replica", Math.max(1, poolMax - 1));
    this.#checks = open("replica-check", 1);
    this.#statements = statements;
    this.#facts = rawSql(sendOn(this.#checks, statements.named));
  }

  get report(): ReplicaReport {
    return { host: this.host, state: this.#state, lagMs: this.#lagMs, problem: this.#problem };
  }

  get isUsable(): boolean {
    return this.#state === "ok";
  }

  /** Reads its facts; null if it does not answer. */
  async readFacts(): Promise<ReplicaFacts | null> {
    try {
      const facts = await readReplicaFacts(this.#facts);
      this.#problem = undefined;
      return facts;
    } catch (error) {
      this.#problem = error;
      return null;
    }
  }

  /** Checks that it is a replica of the primary and not too far behind. `now` is the time of the primary's facts, read after its own. */
  check(primary: PrimaryFacts, facts: ReplicaFacts | null, now: number): void {
    if (facts === null) {
      this.#state = "down";
      return;
    }
    const { state, lagMs } = this.#replay.check(primary, facts, now);
    this.#state = state;
    this.#lagMs = lagMs;
    this.#compared = { primary: primary.startedAt, replica: facts.startedAt };
  }

  /**
   * Runs statements on one snapshot that has all changes of a team up to a time of its clock. Refuses if the replica has not
   * replayed them after a few milliseconds, is none any more, or if one of the two servers is not that of the last check.
   * @throws {DatabaseUnavailableError} after which it is not used until the next check has succeeded
   */
  async read(reached: Reached, statements: readonly Statement[]): Promise<Outcome[] | Refusal> {
    const named = statements.map(this.#statements.guarded);
    if (reached.startedAt !== this.#compared?.primary) return "behind";
    try {
      return await this.#inSnapshot(reached, async (connection) => {
        const outcomes = await send(connection, [...named, this.#statements.named(end)], false);
        return outcomes.slice(0, -1);
      });
    } catch (error) {
      const failure = toUnavailableError(error);
      if (failure instanceof DatabaseUnavailableError && sqlState(failure) === null) this.#state = "down";
      throw failure;
    }
  }

  async #inSnapshot<T>(reached: Reached, run: (connection: pg.PoolClient) => Promise<T>): Promise<T | Refusal> {
    const connection = await this.#freeConnection();
    if (connection === null) return "busy";
    try {
      const result = (await this.#begin(connection, reached)) ? await run(connection) : "behind";
      connection.release();
      return result;
    } catch (error) {
      const isEnded = await connection.query("ROLLBACK").then(
        () => true,
        () => false,
      );
      connection.release(!isEnded);
      throw error;
    }
  }

  /** Returns null if none is free or opened soon. The one that comes later is for the next read. */
  async #freeConnection(): Promise<pg.PoolClient | null> {
    const connecting = this.#pool.connect();
    const waiting = new AbortController();
    try {
      const late = pause(freeWithinMs, null, { signal: waiting.signal }).catch(() => null);
      const connection = await Promise.race([connecting, late]);
      if (connection === null) {
        connecting.then(
          (unused) => unused.release(),
          () => {},
        );
      }
      return connection;
    } finally {
      waiting.abort();
    }
  }

  /** Begins a snapshot that has the changes; returns false, outside of any, if it does not come. */
  async #begin(connection: pg.PoolClient, { teamId, at }: Reached): Promise<boolean> {
    // A session behind a pooler has no timeouts of its own.
    const check = sql`SELECT set_config('statement_timeout', ${`${statementTimeoutMs}`}, true),
      set_config('idle_in_transaction_session_timeout', ${`${poolDefaults.idleInTransactionTimeoutMs}`}, true),
      pg_is_in_recovery() AS "inRecovery", ${serverStart},
      (SELECT c.at FROM team_clocks c WHERE c."teamId" = ${teamId}::uuid) AS at`;
    const begin = [readOnlySnapshot, check];
    for (const waitMs of [0, ...waitsMs]) {
      if (waitMs > 0) await pause(waitMs);
      const trip = waitMs === 0 ? begin : [end, ...begin];
      const outcomes = await send(connection, trip.map(this.#statements.named), true);
      const { inRecovery, startedAt, at: replayed } = clockOf(outcomes.at(-1));
      if (startedAt !== this.#compared?.replica) break;
      if (!inRecovery) {
        this.#state = "not_in_recovery";
        break;
      }
      if (replayed !== null && replayed >= at) return true;
    }
    await send(connection, [this.#statements.named(end)], false);
    return false;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#checks.end()]);
  }
}

/** Reads the row of the check, which has these columns. */
function clockOf(outcome: Outcome | undefined): { inRecovery: boolean; startedAt: unknown; at: Date | null } {
  const { inRecovery, startedAt, at } = outcome?.rows[0] ?? {};
  return { inRecovery: inRecovery === true, startedAt, at: at instanceof Date ? at : null };
}
