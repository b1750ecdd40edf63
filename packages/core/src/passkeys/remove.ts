import { endOtherProofs, readFactorParts, removeSecondFactor } from "@kb/auth";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { lockSecondFactor } from "../second-factor/lock-second-factor.ts";
import { requireStillOptional } from "../second-factor/require-optional.ts";
import { warnOfPasskey } from "../second-factor/warn-owner.ts";

/** Removes a passkey of the caller. */
export const removePasskey = operation({
  name: "auth.passkeys.remove",
  summary: "Remove a passkey",
  description:
    "The device no longer proves that it is you, your other sessions have to confirm again that they are yours, and a mail tells you. Without another passkey and an authenticator app, your log-in has no second step any more, and the recovery codes stop working: refused where the team requires one.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id }),
  output: z.object({ status: z.literal("removed") }),
  async run(context, { id }) {
    const { tx, actor, audit } = context;
    const { teamId, userId } = actor;
    const where = { teamId, userId, id };
    const passkey = await tx.passkey.findFirst({ where, select: { name: true } });
    if (passkey === null) throw notFound("Passkey");
    await lockSecondFactor(tx, actor);
    const parts = await readFactorParts(tx, { teamId, userId });
    const isLast = parts !== null && !parts.hasApp && parts.passkeys === 1;
    if (isLast) await requireStillOptional(context);
    const { count } = await tx.passkey.deleteMany({ where });
    if (count === 0) throw notFound("Passkey");
    if (isLast) await removeSecondFactor(tx, { teamId, userId });
    await endOtherProofs(tx, { teamId, userId }, actor.credential.id);
    await warnOfPasskey(context, "passkey_removed", passkey.name);
    audit.setTarget("user", userId);
    audit.addDetails({ passkey: id, turnedOff: isLast });
    return { status: "removed" as const };
  },
});
