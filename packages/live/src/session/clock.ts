/** The time of a session; tests pass their own. */
export interface Clock {
  readonly now: () => number;
  /** Calls a function once, after a time in milliseconds. Returns a function that prevents it. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

const firstPauseMs = 200;
const lastPauseMs = 10_000;

/** Returns the time until the next attempt after some that failed: it doubles, and two clients do not come at once. */
export function pauseAfter(failures: number, retryAfterMs: number, clock: Clock): number {
  const pause = Math.min(lastPauseMs, firstPauseMs * 2 ** Math.min(failures, 10));
  return Math.max(retryAfterMs, pause * (0.7 + 0.6 * clock.random()));
}
