import { findFactorMark, type SecondFactorMethod } from "@kb/auth";
import type { Preparation } from "../operation.ts";
import { hasFreshProof, proofRequired } from "../sessions/require-fresh-proof.ts";
import { requirePassword } from "../sessions/require-password.ts";
import { usesPasswords } from "../sessions/require-passwords.ts";
import { requireSecondFactor } from "./require-proof.ts";

/** A proof that the caller is the owner of the account. */
export type OwnerProof = {
  /** The mark of the second factor that was proven; null without one. */
  readonly replaces: string | null;
  readonly method: SecondFactorMethod | "password" | "log_in";
};

/**
 * Requires what only the owner of the account has: a code of their second factor, else the password. A user with neither, and
 * everybody where passwords are switched off, logs in by single sign-on only, and must have done so in the last 15 minutes. The field of the input is `proof`.
 * @throws {ServiceError} `validation_error`, `rate_limited`, `proof_required`
 */
export async function requireOwner(
  preparation: Preparation,
  { action, typed }: { readonly action: string; readonly typed: string },
): Promise<OwnerProof> {
  const { service, actor } = preparation;
  const { teamId, userId } = actor;
  // Read before the proof: a factor that is set up in the meantime is not proven, and the ticket does not fit it.
  const replaces = await findFactorMark(service.database, actor);
  if (replaces !== null) {
    const { method } = await requireSecondFactor(preparation, { action, field: "proof", typed });
    return { replaces, method };
  }
  const where = { teamId_id: { teamId, id: userId } };
  const user = await service.database.client.user.findUnique({ where, select: { passwordHash: true } });
  const hash = usesPasswords(service) ? user?.passwordHash : null;
  if (hash == null) {
    if (!hasFreshProof(actor, service.clock.now())) throw proofRequired("log in again, by single sign-on.");
    return { replaces, method: "log_in" };
  }
  await requirePassword(preparation, { action, field: "proof", hash, typed });
  return { replaces, method: "password" };
}
