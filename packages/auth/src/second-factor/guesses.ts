import { sql, type Tx } from "@kb/db";
import type { Account } from "../log-in/account.ts";
import { type Guesses, oneMore } from "../log-in/guesses.ts";

/** From this number of wrong codes on, at log-in and in the settings together, the owner of the account is told. */
const alarming = 10;

/** The columns of `Guesses` in `second_factors`. */
export const guessColumns = sql`guesses, "guessedAt"`;

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
