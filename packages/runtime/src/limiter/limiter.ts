import type { Budget } from "./spending.ts";

/** At most `limit` requests per key within a sliding window. */
export type Allowance = {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  /** The requests to count at once: all of them or none. Default 1. */
  readonly count?: number;
  /** Refuses while the key of the budget has spent it. */
  readonly budget?: Budget | undefined;
};

/** The decision of a limiter. */
export type Verdict = {
  readonly allowed: boolean;
  /** The number of requests that are still allowed now. */
  readonly remaining: number;
  /**
   * Milliseconds until the oldest counted request leaves the window: the next time at which more is allowed. After a refusal
   * the time until enough of them have left, or the whole window where the limit is less than the count.
   */
  readonly resetMs: number;
  /** The index of the limit of the budget that is used up; undefined if none is. */
  readonly exhausted?: number;
};

/** Counts exactly under any concurrency: no window ever holds more than the limit. */
export type Limiter = {
  /** Counts a request, or several. Refused ones are not counted, so a caller that waits for `resetMs` succeeds. */
  take(allowance: Allowance): Promise<Verdict>;
  /** Counts whole amounts that a key has spent, one for each limit of its budget. */
  spend(key: string, amounts: readonly number[]): Promise<void>;
};
