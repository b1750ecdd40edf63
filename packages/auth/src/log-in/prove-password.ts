import { type Database, sql } from "@kb/db";
import { verifyPassword } from "../password.ts";
import type { Account } from "./account.ts";
import { type Guesses, oneMore, waitForGuess } from "./guesses.ts";
import { lockStanding, recordFailure, type Throttled } from "./throttle.ts";

/** An attempt to prove the current password of a user who is logged in. */
type PasswordAttempt = {
  readonly account: Account;
  readonly hash: string;
  readonly typed: string;
  /** Whether the user proved in the last 15 minutes who they are: wrong passwords of other days then refuse nothing. */
  readonly isFresh: boolean;
};

/** The result of an attempt to prove a password. */
type PasswordProof =
  | { readonly kind: "proven" }
  | { readonly kind: "wrong" }
  | ({ readonly kind: "throttled" } & Throttled);

/**
 * Checks the current password of a user who is logged in. After ten wrong ones in 15 minutes, all further ones are refused, and a
 * second limit bounds the wrong ones of days: a stolen session would have the time to guess. The right password forgives them.
 */
export async function provePassword(
  database: Database,
  { account: { teamId, userId }, hash, typed, isFresh }: PasswordAttempt,
  now: Date,
): Promise<PasswordProof> {
  const isRight = await verifyPassword(hash, typed);
  const ofUser = sql`"teamId" = ${teamId}::uuid AND id = ${userId}::uuid`;
  return database.transaction(async (tx): Promise<PasswordProof> => {
    const source = { source: `password:${userId}` };
    const { throttled } = await lockStanding(tx, source, now);
    if (throttled !== null) return { kind: "throttled", ...throttled };
    // Attempts of this user wait for each other at the lock of the limit.
    const [stored] = await tx.rows<Guesses>(
      sql`SELECT "passwordGuesses" AS guesses, "passwordGuessedAt" AS "guessedAt" FROM users WHERE ${ofUser}`,
    );
    if (stored === undefined) return { kind: "wrong" };
    const wait = isFresh ? null : waitForGuess(stored, now);
    if (wait !== null) return { kind: "throttled", ...wait };
    if (isRight) {
      if (stored.guesses > 0) {
        await tx.execute(sql`UPDATE users SET "passwordGuesses" = 0, "passwordGuessedAt" = NULL WHERE ${ofUser}`);
      }
      return { kind: "proven" };
    }
    await recordFailure(tx, source, now);
    await tx.execute(sql`UPDATE users SET "passwordGuesses" = ${oneMore(stored, now)}, "passwordGuessedAt" = ${now}
      WHERE ${ofUser}`);
    return { kind: "wrong" };
  });
}
