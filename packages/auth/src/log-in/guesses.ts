import type { Throttled } from "./throttle.ts";

/** Wrong guesses at one secret that a user has at once, from any address. */
const most = 20;
/** The time after which one of them is forgiven: in the long run at most ten a day are checked. */
const forgivenEveryMs = (24 * 3_600_000) / 10;

/** The wrong guesses at a secret of a user that were not forgiven when the last one was typed. */
export type Guesses = { readonly guesses: number; readonly guessedAt: Date | null };

function remaining({ guesses, guessedAt }: Guesses, now: Date): number {
  const elapsedMs = guessedAt === null ? 0 : Math.max(0, now.getTime() - guessedAt.getTime());
  return Math.max(0, guesses - elapsedMs / forgivenEveryMs);
}

/** Returns the number of guesses after one more. */
export const oneMore = (stored: Guesses, now: Date): number => remaining(stored, now) + 1;

/**
 * Returns how long further guesses are refused unchecked; null if one may be tried. The limits of 15 minutes would let somebody
 * who knows the password try hundreds of thousands of codes in a year, and somebody with a stolen session as many passwords; with
 * this one it is less than four thousand.
 */
export function waitForGuess(stored: Guesses, now: Date): Throttled | null {
  const waitMs = (oneMore(stored, now) - most) * forgivenEveryMs;
  return waitMs <= 0 ? null : { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}
