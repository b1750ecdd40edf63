import { type Proof, type ProvenFactor, proveSecondFactor } from "@kb/auth";
import { recordRefusedProof } from "../audit/record-refused-proof.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import type { Preparation } from "../operation.ts";
import { requireSealer } from "../require-sealer.ts";
import { warnOfGuesses } from "./warn-owner.ts";

/** A typed proof: the operation that needs it, and the field of its input. */
type TypedProof = { readonly action: string; readonly field: string; readonly typed: string };

/**
 * Requires a code of the user's app or a recovery code, and uses it up. The audit log records refused codes.
 * @throws {ServiceError} `validation_error` for a wrong code, `rate_limited` after ten, `not_found` for a user without a second
 * factor.
 */
export async function requireSecondFactor(
  preparation: Preparation,
  { action, field, typed }: TypedProof,
): Promise<ProvenFactor> {
  const { service, actor } = preparation;
  const { teamId, userId } = actor;
  const attempt = { account: { teamId, userId }, typed };
  const { database, clock, sealer } = service;
  const proof = await proveSecondFactor(database, requireSealer(sealer), attempt, clock.now());
  if (proof.kind === "wrong" || proof.kind === "throttled") {
    recordRefusedProof(preparation, action, { secondFactor: refusal(proof) });
  }
  // Without a warning the code is wrong all the same. The next wrong code tries to warn again.
  if (proof.kind === "wrong" && proof.isAlarming) await warnOfGuesses(service, attempt.account).catch(() => {});
  return requireProven(proof, field);
}

function requireProven(proof: Proof, field: string): ProvenFactor {
  if (proof.kind === "proven") return proof;
  if (proof.kind === "absent") throw notFound("Second factor");
  if (proof.kind === "wrong") throw invalid(field, "Is not a current code of your app or a recovery code");
  throw new ServiceError("rate_limited", "Too many wrong codes. Try again later.", proof);
}

const refusal = (proof: Proof): string => (proof.kind === "wrong" && proof.isKeyUnreadable ? "unreadable" : proof.kind);
