import { findFactorMark } from "@kb/auth";
import { z } from "zod";
import { operation, type Preparation } from "../operation.ts";
import { requireSealer } from "../require-sealer.ts";
import { requirePassword } from "../sessions/require-password.ts";
import { createEnrolment, Enrolment } from "./enrolment.ts";
import { requireSecondFactor } from "./require-proof.ts";

/**
 * Begins to set up an authenticator app for the caller. The proof keeps a stolen session from locking its owner out.
 */
export const startSecondFactor = operation({
  name: "auth.secondFactor.start",
  summary: "Begin to set up an authenticator app",
  description:
    "`proof` is your current password, or a code of your present app or a recovery code if you have a second factor. Nothing is stored: send `ticket` with the first code of the new app to auth.secondFactor.confirm within 15 minutes.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ proof: z.string().max(1024).default("") }),
  output: Enrolment,
  prepare: ({ proof }, preparation) => requireOwner(preparation, proof),
  async run({ tx, actor, now, sealer, audit }, _input, { replaces }) {
    audit.setTarget("user", actor.userId);
    const { name: team } = await tx.team.findUniqueOrThrow({ where: { id: actor.teamId }, select: { name: true } });
    return createEnrolment(requireSealer(sealer), actor, { replaces, team, email: actor.email }, now);
  },
});

/**
 * Requires a code of the second factor, else the password, and returns the mark of the factor. A user with neither logs in by
 * single sign-on only.
 */
async function requireOwner(preparation: Preparation, proof: string): Promise<{ replaces: string | null }> {
  const { service, actor } = preparation;
  const { teamId, userId } = actor;
  // Read before the proof: a factor that is set up in the meantime is not proven, and the ticket does not fit it.
  const replaces = await findFactorMark(service.database, actor);
  if (replaces !== null) {
    await requireSecondFactor(preparation, { action: "auth.secondFactor.start", field: "proof", typed: proof });
    return { replaces };
  }
  const where = { teamId_id: { teamId, id: userId } };
  const user = await service.database.client.user.findUnique({ where, select: { passwordHash: true } });
  const hash = user?.passwordHash;
  if (hash != null) await requirePassword(service, actor, { field: "proof", hash, typed: proof });
  return { replaces };
}
