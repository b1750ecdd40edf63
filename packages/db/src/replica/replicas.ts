import { setTimeout as pause } from "node:timers/promises";
import { noTelemetry, type Telemetry } from "@kb/telemetry";
import type { PoolOptions } from "../pool.ts";
import { rowsOfEach } from "../reader.ts";
import { withReservedConnections } from "../reserved-connections.ts";
import type { Outcome } from "../round-trip.ts";
import { type Reader, type Statement, sql } from "../sql.ts";
import type { Statements } from "../statements.ts";
import { TenantGuardError } from "../tenant-guard.ts";
import { type Reached, type Refusal, Replica, type ReplicaReport } from "./replica.ts";
import { readPrimaryFacts, serverStart } from "./replica-facts.ts";

const checkEveryMs = 1_000;

/**
 * The read replicas of a database. A read is made on one only if it has replayed every change of the team that the primary had when
 * the read began: nobody reads data older than their own last write, and a right that was taken away is gone.
 */
export class Replicas {
  readonly #replicas: readonly Replica[];
  readonly #telemetry: Telemetry;
  readonly #primary: Pick<Reader, "rows">;
  readonly #ending = new AbortController();
  readonly #stopObserving: () => void;
  #checking: Promise<void> | undefined;
  /** The error for which the primary did not tell its facts at the last check. */
  #problem: unknown;
  #turn = 0;

  /** @param primary reads without a team, for the checks */
  constructor(
    urls: readonly string[],
    options: Omit<PoolOptions, "url">,
    statements: Statements,
    primary: Pick<Reader, "rows">,
  ) {
    this.#replicas = urls.map((url, index) => new Replica(url, index + 1, options, statements));
    this.#telemetry = options.telemetry ?? noTelemetry;
    this.#primary = primary;
    this.#stopObserving = this.#observe();
    if (urls.length > 0) void this.#checkAgainAndAgain();
  }

  /** The methods of a `Database` for its replicas. */
  get access(): { replicaReader(primary: Reader, teamId: string): Reader; replicas(): readonly ReplicaReport[] } {
    return {
      replicaReader: (primary, teamId) => this.#readerOf(primary, teamId),
      replicas: () => this.#replicas.map(({ report }) => ({ ...report, problem: this.#problem ?? report.problem })),
    };
  }

  #readerOf(primary: Reader, teamId: string): Reader {
    if (this.#replicas.length === 0) return primary;
    let replica: Replica | undefined;
    const onReplica = async (statements: readonly Statement[]): Promise<Outcome[] | null> => {
      replica = replica?.isUsable === true ? replica : this.#nextUsable();
      if (replica === undefined) return this.#count("unusable");
      const [clock] = await primary.rows<{ at: Date; startedAt: number }>(
        sql`SELECT c.at, ${serverStart} FROM team_clocks c WHERE c."teamId" = ${teamId}::uuid`,
      );
      return clock === undefined ? this.#count("behind") : this.#read(replica, { teamId, ...clock }, statements);
    };
    return {
      rows: async <T>(statement: Statement) => {
        const outcomes = await onReplica([statement]);
        return outcomes === null ? primary.rows<T>(statement) : (rowsOfEach<[T]>(outcomes)[0] ?? []);
      },
      rowsOfEach: async <T extends unknown[]>(statements: Parameters<typeof primary.rowsOfEach<T>>[0]) => {
        const outcomes = await onReplica(statements);
        return outcomes === null ? primary.rowsOfEach<T>(statements) : rowsOfEach<T>(outcomes);
      },
    };
  }

  /** Returns null where the primary has to be read. */
  async #read(replica: Replica, reached: Reached, statements: readonly Statement[]): Promise<Outcome[] | null> {
    try {
      const outcomes = await replica.read(reached, statements);
      if (typeof outcomes === "string") return this.#count(outcomes, replica.host);
      this.#count("replica", replica.host);
      return outcomes;
    } catch (error) {
      if (error instanceof TenantGuardError) throw error;
      // Replay may cancel a statement that needs rows which it removes or hold a lock, and a replica may end at any time.
      return this.#count("failed", replica.host);
    }
  }

  #count(outcome: "replica" | Refusal | "failed" | "unusable", address?: string): null {
    const server = address === undefined ? {} : { "kb.replica.host": address };
    this.#telemetry.add("kb.replica.reads", 1, { "kb.replica.outcome": outcome, ...server });
    return null;
  }

  #nextUsable(): Replica | undefined {
    const usable = this.#replicas.filter(({ isUsable }) => isUsable);
    this.#turn += 1;
    return usable[this.#turn % usable.length];
  }

  /** Checks all replicas. While the primary is away their state stays the same, because nothing is read without its clock. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<void> {
    // In this order: a replica is never ahead of a primary that is asked after it.
    const facts = await Promise.all(this.#replicas.map((replica) => replica.readFacts()));
    try {
      const primary = await withReservedConnections(() => readPrimaryFacts(this.#primary));
      const now = performance.now();
      for (const [index, replica] of this.#replicas.entries()) replica.check(primary, facts[index] ?? null, now);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error;
    }
  }

  async #checkAgainAndAgain(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await this.check();
      await pause(checkEveryMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  #observe(): () => void {
    return this.#telemetry.observe(["kb.replica.lag", "kb.replica.usable"], () =>
      this.#replicas.flatMap(({ report: { host, lagMs }, isUsable }) => [
        { name: "kb.replica.lag", value: lagMs / 1_000, labels: { "kb.replica.host": host } },
        { name: "kb.replica.usable", value: isUsable ? 1 : 0, labels: { "kb.replica.host": host } },
      ]),
    );
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#stopObserving();
    await this.#checking;
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }
}
