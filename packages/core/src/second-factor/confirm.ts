import { findTotpStep, storeSecondFactor } from "@kb/auth";
import { stampMoment } from "@kb/db";
import { z } from "zod";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { requireSealer } from "../require-sealer.ts";
import { endAccess } from "../sessions/end-access.ts";
import { openEnrolment } from "./enrolment.ts";
import { RecoveryCodes, TypedCode } from "./second-factor.ts";

/** Completes the set-up of an authenticator app, in place of an earlier one. */
export const confirmSecondFactor = operation({
  name: "auth.secondFactor.confirm",
  summary: "Complete the set-up of an authenticator app",
  description:
    "From now on, every log-in asks for a code. The recovery codes replace earlier ones, work once each, and are shown only in this response. Ends your other sessions and disconnects your apps; API keys stay.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ ticket: z.string().max(2_000), code: TypedCode }),
  output: RecoveryCodes,
  async run(context, { ticket, code }) {
    const { tx, actor, now, audit } = context;
    const sealer = requireSealer(context.sealer);
    const { teamId, userId, credential } = actor;
    const account = { teamId, userId };
    const enrolment = openEnrolment(sealer, ticket, account, now);
    if (enrolment === null) throw notFound("Second factor");
    if (enrolment === "expired") throw new ServiceError("conflict", "This set-up took too long. Begin again.");
    const { secret, replaces } = enrolment;
    const step = findTotpStep(secret, code, now);
    if (step === null) throw invalid("code", "Is not the current code of the app. Check the time of your device");
    audit.setTarget("user", userId);
    // Locks the clock first, like everything that ends access.
    await stampMoment(tx, teamId, now);
    const recoveryCodes = await storeSecondFactor(tx, sealer, { account, secret, step, replaces }, now);
    if (recoveryCodes === null) {
      throw new ServiceError("conflict", "Your second step was changed after this set-up began. Begin again.");
    }
    // Somebody who took the password before may be logged in.
    await endAccess(context, userId, "second_factor_set_up", credential.id);
    return { recoveryCodes };
  },
});
