import { type Account, type Proof, type ProvenFactor, proveSecondFactor } from "@kb/auth";
import type { Service } from "../context.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { requireSealer } from "../require-sealer.ts";

/**
 * Requires a code of the user's app or a recovery code, and uses it up.
 * @throws {ServiceError} `validation_error` for a wrong code, `rate_limited` after ten, `not_found` for a user without a second
 * factor.
 */
export async function requireSecondFactor(
  { database, clock, sealer }: Service,
  { teamId, userId }: Account,
  field: string,
  typed: string,
): Promise<ProvenFactor> {
  const attempt = { account: { teamId, userId }, typed };
  return requireProven(await proveSecondFactor(database, requireSealer(sealer), attempt, clock.now()), field);
}

function requireProven(proof: Proof, field: string): ProvenFactor {
  if (proof.kind === "proven") return proof;
  if (proof.kind === "absent") throw notFound("Second factor");
  if (proof.kind === "wrong") throw invalid(field, "Is not a current code of your app or a recovery code");
  throw new ServiceError("rate_limited", "Too many wrong codes. Try again later.", proof);
}
