import { type Clock, pauseAfter } from "./clock.ts";
import { failureOf, type TransportFailure } from "./transport.ts";

/**
 * Does something again, after a growing pause, until it succeeds or `goOn` returns false for its failure. Returns its result;
 * undefined where it did not succeed.
 */
export async function attemptUntil<Result>(
  clock: Clock,
  attempt: () => Promise<Result>,
  goOn: (failure: TransportFailure) => boolean,
): Promise<Result | undefined> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const failure = failureOf(error);
      if (!goOn(failure)) return undefined;
      const pause = pauseAfter(failures, failure.retryAfterMs, clock);
      await new Promise<void>((resolve) => void clock.after(pause, resolve));
    }
  }
}
