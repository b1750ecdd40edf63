import { type Actor, hasSecondFactor } from "@kb/auth";
import { z } from "zod";
import type { Service } from "../context.ts";
import { operation } from "../operation.ts";
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
  prepare: ({ proof }, { service, actor }) => requireOwner(service, actor, proof),
  async run({ tx, actor, now, sealer, audit }) {
    audit.setTarget("user", actor.userId);
    const { name: team } = await tx.team.findUniqueOrThrow({ where: { id: actor.teamId }, select: { name: true } });
    return createEnrolment(requireSealer(sealer), actor, { team, email: actor.email }, now);
  },
});

/** Requires a code of the second factor, else the password. A user with neither logs in by single sign-on only. */
async function requireOwner(service: Service, actor: Actor, proof: string): Promise<undefined> {
  const { teamId, userId } = actor;
  if (await hasSecondFactor(service.database, actor)) {
    await requireSecondFactor(service, actor, "proof", proof);
    return;
  }
  const where = { teamId_id: { teamId, id: userId } };
  const user = await service.database.client.user.findUnique({ where, select: { passwordHash: true } });
  const hash = user?.passwordHash;
  if (hash != null) await requirePassword(service, actor, { field: "proof", hash, typed: proof });
}
