import { sql, type Tx } from "@kb/db";
import type { Account } from "../log-in/account.ts";
import type { Throttled } from "../log-in/throttle.ts";

/** Wrong codes of an app that a user has at once, at log-in and in the settings together, from any address; and wrong passwords. */
const most = 20;
/** The time after which one of them is forgiven: in the long run at most ten a day are checked. */
const forgivenEveryMs = (24 * 3_600_000) / 10;
/** From this number on, the owner of the account is told. */
const alarming = 10;

/** The wrong codes, or the wrong passwords, of a user that were not forgiven when the last one was typed. */
export type Guesses = { readonly guesses: number; readonly guessedAt: Date | null };

/** The columns of `Guesses` in `second_factors`. */
export const guessColumns = sql`guesses, "guessedAt"`;

function remaining({ guesses, guessedAt }: Guesses, now: Date): number {
  const elapsedMs = guessedAt === null ? 0 : Math.max(0, now.getTime() - guessedAt.getTime());
  return Math.max(0, guesses - elapsedMs / forgivenEveryMs);
}

/** Returns the number of guesses after one more. */
export const oneMore = (stored: Guesses, now: Date): number => remaining(stored, now) + 1;

/**
 * Returns how long further guesses are refused unchecked; null if one may be tried. The limits of 15 minutes would let
 * somebody who knows the password try hundreds of thousands of codes in a year, and a stolen session as many passwords; with this one it is less than four thousand.
 */
export function waitForGuess(stored: Guesses, now: Date): Throttled | null {
  const waitMs = (oneMore(stored, now) - most) * forgivenEveryMs;
  return waitMs <= 0 ? null : { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

/** Counts a wrong code of a user whose row is locked. Returns whether there are so many that the owner is told. */
export async function recordGuess(
  { execute }: Pick<Tx, "execute">,
  { teamId, userId }: Account,
  stored: Guesses,
  now: Date,
): Promise<boolean> {
  const guesses = oneMore(stored, now);
  await execute(sql`UPDATE second_factors SET guesses = ${guesses}, "guessedAt" = ${now}
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid`);
  return guesses >= alarming;
}

/** Forgives all wrong codes of a user: nobody but the owner has their recovery codes. */
export async function forgiveGuesses({ execute }: Pick<Tx, "execute">, { teamId, userId }: Account): Promise<void> {
  await execute(sql`UPDATE second_factors SET guesses = 0, "guessedAt" = NULL
    WHERE "teamId" = ${teamId}::uuid AND "userId" = ${userId}::uuid`);
}
