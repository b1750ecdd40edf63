import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { ConnectionPool } from "../connection-pool.ts";
import { DatabaseUnavailableError, sqlState, toUnavailableError } from "../errors.ts";
import { readOnlySnapshot } from "../open-transaction.ts";
import { type PoolOptions, poolDefaults } from "../pool.ts";
import { rawSql } from "../reader.ts";
import { withReservedConnections } from "../reserved-connections.ts";
import { type Outcome, send } from "../round-trip.ts";
import { sendOn } from "../send-on.ts";
import { type Reader, type Statement, sql } from "../sql.ts";
import type { Statements } from "../statements.ts";
import { Replay, type ReplicaState } from "./replay.ts";
import { type PrimaryFacts, readReplicaFacts } from "./replica-facts.ts";

/** A team, and the time of its clock up to which its changes must have been replayed. */
export type Reached = { readonly teamId: string; readonly at: Date };

/** The state of a replica for operators; `host` is that of its address, `lagMs` how far it was behind at the last check. */
export type ReplicaReport = { readonly host: string; readonly state: ReplicaState; readonly lagMs: number };

/** A request waits this long, three times at most, for changes that are on their way to the replica. */
const waitsMs = [2, 4, 8];

const connectTimeoutMs = 1_000;

/** `END` is COMMIT, which a trip would count as a wait for the disk (`RoundTrip.waitsForOthers`): a replica writes nothing. */
const end: Statement = sql`END`;

/** One read replica, with connections of its own. */
export class Replica {
  readonly host: string;
  readonly #pool: ConnectionPool;
  readonly #statements: Statements;
  readonly #reader: Reader;
  readonly #replay = new Replay();
  #state: ReplicaState = "unchecked";
  #lagMs = 0;

  /** @param number its place among the addresses, from 1, which names its connections */
  constructor(url: string, number: number, options: Omit<PoolOptions, "url">, statements: Statements) {
    const { applicationName = poolDefaults.applicationName } = options;
    this.host = new URL(url).host;
    this.#pool = new ConnectionPool({
      ...options,
      url,
      connectTimeoutMs,
      applicationName: `${applicationName}-replica-${number}`,
    });
    this.#statements = statements;
    this.#reader = rawSql(sendOn(this.#pool, statements.named));
  }

  get report(): ReplicaReport {
    return { host: this.host, state: this.#state, lagMs: this.#lagMs };
  }

  get isUsable(): boolean {
    return this.#state === "ok";
  }

  /** Checks that it is a replica of the primary and not too far behind. `now` is the time of the primary's facts. */
  async check(primary: PrimaryFacts, now: number): Promise<void> {
    try {
      const facts = await withReservedConnections(() => readReplicaFacts(this.#reader));
      const { state, lagMs } = this.#replay.check(primary, facts, now);
      this.#state = state;
      this.#lagMs = lagMs;
    } catch {
      this.#state = "down";
    }
  }

  /**
   * Runs statements on one snapshot that has all changes of a team up to a time of its clock. Returns null if the replica
   * has not replayed them after a few milliseconds, or is none any more.
   * @throws {DatabaseUnavailableError} after which it is not used until the next check has succeeded
   */
  async read(reached: Reached, statements: readonly Statement[]): Promise<Outcome[] | null> {
    const named = statements.map(this.#statements.guarded);
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

  async #inSnapshot<T>(reached: Reached, run: (connection: pg.PoolClient) => Promise<T>): Promise<T | null> {
    const connection = await this.#pool.connect();
    try {
      const result = (await this.#begin(connection, reached)) ? await run(connection) : null;
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

  /** Begins a snapshot that has the changes; returns false, outside of any, if it does not come. */
  async #begin(connection: pg.PoolClient, { teamId, at }: Reached): Promise<boolean> {
    const check = sql`SELECT pg_is_in_recovery() AS "inRecovery",
      (SELECT c.at FROM team_clocks c WHERE c."teamId" = ${teamId}::uuid) AS at`;
    const begin = [readOnlySnapshot, check];
    for (const waitMs of [0, ...waitsMs]) {
      if (waitMs > 0) await pause(waitMs);
      const trip = waitMs === 0 ? begin : [end, ...begin];
      const outcomes = await send(connection, trip.map(this.#statements.named), true);
      const { inRecovery, at: replayed } = clockOf(outcomes.at(-1));
      if (!inRecovery) {
        this.#state = "not_in_recovery";
        break;
      }
      if (replayed !== null && replayed >= at) return true;
    }
    await send(connection, [this.#statements.named(end)], false);
    return false;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Reads the row of the check, which has these columns. */
function clockOf(outcome: Outcome | undefined): { inRecovery: boolean; at: Date | null } {
  const { inRecovery, at } = outcome?.rows[0] ?? {};
  return { inRecovery: inRecovery === true, at: at instanceof Date ? at : null };
}
