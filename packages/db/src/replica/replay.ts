import type { PrimaryFacts, ReplicaFacts } from "./replica-facts.ts";

/**
 * The state of a replica. Only one that is `ok` is read. `not_in_recovery`: it was promoted, or is no replica. `diverged`: it has
 * replayed what the server that is written to does not have, as after a failover that lost changes.
 */
export type ReplicaState =
  | "unchecked"
  | "ok"
  | "lagging"
  | "down"
  | "not_in_recovery"
  | "another_database"
  | "diverged";

/** Beyond this lag a replica is not asked any more whether it has the changes of a team. */
export const maxLagMs = 30_000;

/** The positions that are remembered, one for each check: enough to tell a lag of an hour. */
const maxMarks = 3_600;

type Mark = { readonly position: number; readonly at: number };

/** Follows how far a replica has replayed, by comparing its position with those that the primary had before. */
export class Replay {
  /** Positions of the primary that the replica had not replayed at the last check, oldest first. */
  #missing: Mark[] = [];
  #replayed = 0;
  /** The start of the server that diverged: only one that was copied again, and so started again, can follow. */
  #divergedSince: number | undefined;

  /** Compares the facts of one check; `now` is the time in milliseconds at which those of the primary were read. */
  check(primary: PrimaryFacts, replica: ReplicaFacts, now: number): { state: ReplicaState; lagMs: number } {
    const state = this.#compare(primary, replica, now);
    const lagMs = now - (this.#missing[0]?.at ?? now);
    return { state: state === "ok" && lagMs > maxLagMs ? "lagging" : state, lagMs };
  }

  #compare(primary: PrimaryFacts, replica: ReplicaFacts, now: number): ReplicaState {
    if (replica.system !== primary.system || replica.database !== primary.database) return "another_database";
    if (!replica.inRecovery) return "not_in_recovery";
    const { position, startedAt } = replica;
    // The clocks of teams decide alone.
    if (position === null) return "ok";
    // `#replayed` was read before the position of the primary, which only grows unless another server took its place.
    if (this.#replayed > primary.position) this.#divergedSince = startedAt;
    this.#replayed = position;
    if (this.#divergedSince === startedAt) return "diverged";
    const marks = [...this.#missing, { position: primary.position, at: now }];
    this.#missing = marks.filter((mark) => mark.position > position).slice(-maxMarks);
    return "ok";
  }
}
