import { findFactorMark } from "@kb/auth";
import { z } from "zod";
import { operation } from "../operation.ts";
import { requireSealer } from "../require-sealer.ts";
import { createEnrolment, Enrolment } from "./enrolment.ts";
import { isProvenByPasskey } from "./is-proven-by-passkey.ts";
import { requireOwner } from "./require-owner.ts";

/**
 * Begins to set up an authenticator app for the caller. The proof keeps a stolen session from locking its owner out.
 */
export const startSecondFactor = operation({
  name: "auth.secondFactor.start",
  summary: "Begin to set up an authenticator app",
  description:
    "`proof` is your current password, or a code of your present app or a recovery code if you have a second factor; with passkeys and no app, or without a password, your confirmation or log-in of the last 15 minutes. Nothing is stored: send `ticket` with the first code of the new app to auth.secondFactor.confirm within 15 minutes.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ proof: z.string().max(1024).default("") }),
  output: Enrolment,
  async prepare({ proof: typed }, preparation): Promise<{ replaces: string | null }> {
    // Read before the proof: a factor that is set up in the meantime is not proven, and the ticket does not fit it.
    const replaces = await findFactorMark(preparation.service.database, preparation.actor);
    if (await isProvenByPasskey(preparation, typed)) return { replaces };
    return requireOwner(preparation, { action: "auth.secondFactor.start", typed });
  },
  async run({ tx, actor, now, sealer, audit }, _input, { replaces }) {
    audit.setTarget("user", actor.userId);
    const { name: team } = await tx.team.findUniqueOrThrow({ where: { id: actor.teamId }, select: { name: true } });
    return createEnrolment(requireSealer(sealer), actor, { replaces, team, email: actor.email }, now);
  },
});
