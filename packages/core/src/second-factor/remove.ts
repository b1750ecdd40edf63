import { endOtherProofs, readFactorParts, removeApp } from "@kb/auth";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { lockSecondFactor } from "./lock-second-factor.ts";
import { requireOptional, requireStillOptional } from "./require-optional.ts";
import { requireSecondFactor } from "./require-proof.ts";
import { TypedCode } from "./second-factor.ts";

/** Removes the caller's authenticator app. */
export const removeSecondFactor = operation({
  name: "auth.secondFactor.remove",
  summary: "Remove your authenticator app",
  description:
    "`code` is one of your app or a recovery code. Your passkeys and recovery codes stay; without a passkey, your log-in has no second step any more and the recovery codes stop working, which is refused where the team requires a second factor.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ code: TypedCode }),
  output: z.object({ status: z.literal("removed") }),
  async prepare({ code }, preparation) {
    const { service, actor } = preparation;
    const parts = await readFactorParts(service.database, actor);
    if (parts?.hasApp !== true) throw notFound("Second factor");
    // Before the proof, which would use the code up.
    if (parts.passkeys === 0) await requireOptional(preparation);
    return requireSecondFactor(preparation, { action: "auth.secondFactor.remove", field: "code", typed: code });
  },
  async run(context, _input, { method }) {
    const { tx, actor, audit } = context;
    const { teamId, userId } = actor;
    await lockSecondFactor(tx, actor);
    const parts = await readFactorParts(tx, actor);
    if (parts?.passkeys === 0) await requireStillOptional(context);
    if (!(await removeApp(tx, { teamId, userId }))) throw notFound("Second factor");
    await endOtherProofs(tx, { teamId, userId }, actor.credential.id);
    audit.setTarget("user", userId);
    audit.addDetails({ method });
    return { status: "removed" as const };
  },
});
