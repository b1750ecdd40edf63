import { provePassword } from "@kb/auth";
import { recordRefusedProof } from "../audit/record-refused-proof.ts";
import { invalid, ServiceError } from "../errors.ts";
import type { Preparation } from "../operation.ts";
import { hasFreshProof } from "./require-fresh-proof.ts";

/** A typed password, the hash of the current one, the operation that needs it, and the field of its input. */
type TypedPassword = {
  readonly action: string;
  readonly field: string;
  readonly hash: string;
  readonly typed: string;
};

/**
 * Requires the current password of a user. Wrong ones are counted over minutes and days, so that a stolen session cannot guess
 * it, and recorded in the audit log.
 * @throws {ServiceError} `validation_error` for a wrong password, `rate_limited` after ten in 15 minutes, and after twenty and ten
 * more each day in a session whose user did not prove in the last 15 minutes who they are.
 */
export async function requirePassword(
  preparation: Preparation,
  { action, field, hash, typed }: TypedPassword,
): Promise<void> {
  const { service, actor } = preparation;
  const { teamId, userId } = actor;
  const now = service.clock.now();
  const isFresh = hasFreshProof(actor, now);
  const proof = await provePassword(service.database, { account: { teamId, userId }, hash, typed, isFresh }, now);
  if (proof.kind === "proven") return;
  recordRefusedProof(preparation, action, { password: proof.kind });
  if (proof.kind === "wrong") throw invalid(field, "Is not your current password");
  const advice = isFresh ? "Try again later." : "Log in again, or try again later.";
  throw new ServiceError("rate_limited", `Too many wrong passwords. ${advice}`, proof);
}
