import { type Account, settleAttempt, verifyPassword } from "@kb/auth";
import type { Service } from "../context.ts";
import { invalid, ServiceError } from "../errors.ts";

/**
 * Requires the current password of a user. Wrong ones count as failed log-ins, so that a stolen session cannot guess it.
 * @throws {ServiceError} `validation_error` for a wrong password, `rate_limited` after ten.
 */
export async function requirePassword(
  { database, clock }: Pick<Service, "database" | "clock">,
  { userId }: Account,
  { field, hash, typed }: { readonly field: string; readonly hash: string; readonly typed: string },
): Promise<void> {
  const isRight = await verifyPassword(hash, typed);
  const waiting = await settleAttempt(database, { source: `password:${userId}` }, isRight, clock.now());
  if (waiting !== null) throw new ServiceError("rate_limited", "Too many wrong passwords. Try again later.", waiting);
  if (!isRight) throw invalid(field, "Is not your current password");
}
