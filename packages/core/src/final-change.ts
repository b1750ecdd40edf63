import type { Sql, Unlocking } from "@kb/db";
import type { DomainEvent } from "./events.ts";

/** A change that is written together with its stamp. */
export type StampedChange = {
  readonly now: Date;
  /** The id of the thing that the change is about, for its audit entry. */
  readonly id: string;
  readonly events: readonly DomainEvent[];
  /** Returns the statement that changes rows; `at` is the time of the stamp. */
  readonly statement: (at: Sql) => Sql;
  /** Checks what was written, before the commit; absent where nothing has to be checked. */
  readonly check?: (() => Promise<void>) | undefined;
  /** See `Unlocking`. Default "on disk". */
  readonly unlocks?: Unlocking | undefined;
};

/**
 * The last change of an operation, and its answer by the time of the stamp. An operation returns it instead of the answer. The
 * outbox stamps, writes and commits it in one round trip when everything else has been sent, because all other writers of the
 * team wait from the stamp to the commit.
 */
export class FinalChange<T> {
  readonly change: StampedChange;
  readonly answer: (at: Date) => T;

  constructor(change: StampedChange, answer: (at: Date) => T) {
    this.change = change;
    this.answer = answer;
  }
}

/** A result, or the change that still has to be written for it. */
export type Answer<T> = T | FinalChange<T>;

/** Returns the answer that a function makes of a result, now or when its change is written. */
export function mapAnswer<T, U>(answer: Answer<T>, map: (result: T) => U): Answer<U> {
  if (!(answer instanceof FinalChange)) return map(answer);
  return new FinalChange(answer.change, (at) => map(answer.answer(at)));
}
