import type { PrimaryFacts, ReplicaFacts } from "./replica-facts.ts";

/**
 * The state of a replica. Only one that is `ok` is read. `unproven`: it has not shown yet that it is on the history of the server that
 * is written to. `not_in_recovery`: it was promoted, or is no replica. `diverged`: it has replayed what the server that is written to
 * does not have, as after a failover that lost changes, or follows a server that was promoted beside it.
 */
export type ReplicaState =
  | "unchecked"
  | "unproven"
  | "ok"
  | "lagging"
  | "down"
  | "not_in_recovery"
  | "another_database"
  | "diverged";

/** Beyond this lag a replica is not asked any more whether it has the changes of a team. */
export const maxLagMs = 30_000;
/** After a longer time without a check another server may have taken over unseen. */
export const maxGapMs = 5_000;
/** The positions that are remembered, one for each check: enough to tell a lag of an hour. */
const maxMarks = 3_600;

type Mark = { readonly position: number; readonly at: number };

/** The runs of both servers and the history, for which a proof holds. */
type Pair = { readonly primary: number; readonly replica: number; readonly timeline: number };

/** Follows how far a replica has replayed, by comparing its position with those that the primary had before. */
export class Replay {
  /** Positions of the primary that the replica had not replayed at the last check, oldest first. */
  #missing: Mark[] = [];
  /** The start of the server that diverged: only one that was copied again, and so started again, can follow. */
  #divergedSince: number | undefined;
  #pair: Pair | undefined;
  /** Proves that it follows this pair once it has replayed up to here; null when it has. */
  #toReach: number | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;

  /**
   * Compares the facts of one check. Those of the replica were read before those of the primary, which were read at the time `now` in
   * milliseconds.
   */
  check(primary: PrimaryFacts, replica: ReplicaFacts, now: number): { state: ReplicaState; lagMs: number } {
    const state = this.#compare(primary, replica, now);
    this.#checkedAt = now;
    const lagMs = now - (this.#missing[0]?.at ?? now);
    const isLate = (state === "ok" || state === "unproven") && lagMs > maxLagMs;
    return { state: isLate ? "lagging" : state, lagMs };
  }

  #compare(primary: PrimaryFacts, replica: ReplicaFacts, now: number): ReplicaState {
    if (replica.system !== primary.system || replica.database !== primary.database) return "another_database";
    if (!replica.inRecovery) return "not_in_recovery";
    const { position, startedAt } = replica;
    // The clocks of teams decide alone.
    if (position === null) return "ok";
    // The primary only grows unless another server took its place, and it was asked after the replica.
    if (position > primary.position) this.#divergedSince = startedAt;
    if (this.#divergedSince === startedAt) return "diverged";
    // A later history is that of a server that was promoted beside the primary, such as the one that this replica copies.
    if (replica.timeline > primary.timeline) return "diverged";
    this.#startProof(primary, replica, now);
    this.#follow(primary, position, replica.quietMs, now);
    return this.#isProven(primary, replica, position) ? "ok" : "unproven";
  }

  /** Begins the proof again where another server, or another history, may have taken the place of one of the two. */
  #startProof(primary: PrimaryFacts, replica: ReplicaFacts, now: number): void {
    const pair = { primary: primary.startedAt, replica: replica.startedAt, timeline: primary.timeline };
    const isSame =
      this.#pair?.primary === pair.primary &&
      this.#pair.replica === pair.replica &&
      this.#pair.timeline === pair.timeline &&
      now - this.#checkedAt <= maxGapMs;
    if (isSame) return;
    this.#pair = pair;
    this.#toReach = primary.position;
  }

  /**
   * A standby on a history that the primary left stays on its timeline, and does not come to a position that the primary had later
   * unless it follows the server that was left.
   */
  #isProven({ timeline }: PrimaryFacts, replica: ReplicaFacts, position: number): boolean {
    if (this.#toReach !== null && position >= this.#toReach && replica.timeline === timeline) this.#toReach = null;
    return this.#toReach === null;
  }

  #follow(primary: PrimaryFacts, position: number, quietMs: number | null, now: number): void {
    const isFirst = this.#checkedAt === Number.NEGATIVE_INFINITY;
    // Nobody saw since when it has been behind.
    const at = isFirst && position < primary.position ? now - Math.max(0, quietMs ?? 0) : now;
    const marks = [...this.#missing, { position: primary.position, at }];
    this.#missing = marks.filter((mark) => mark.position > position).slice(-maxMarks);
  }
}
