import { findTotpStep, storeSecondFactor } from "@kb/auth";
import { z } from "zod";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { requireSealer } from "../require-sealer.ts";
import { openEnrolment } from "./enrolment.ts";
import { RecoveryCodes, TypedCode } from "./second-factor.ts";

/** Completes the set-up of an authenticator app, in place of an earlier one. */
export const confirmSecondFactor = operation({
  name: "auth.secondFactor.confirm",
  summary: "Complete the set-up of an authenticator app",
  description:
    "From now on, every log-in asks for a code. The recovery codes replace earlier ones, work once each, and are shown only in this response.",
  scope: "write",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ ticket: z.string().max(2_000), code: TypedCode }),
  output: RecoveryCodes,
  async run({ tx, actor, now, sealer: given, audit }, { ticket, code }) {
    const sealer = requireSealer(given);
    const { teamId, userId } = actor;
    const account = { teamId, userId };
    const enrolment = openEnrolment(sealer, ticket, account, now);
    if (enrolment === null) throw notFound("Second factor");
    const step = findTotpStep(enrolment.secret, code, now);
    if (step === null) throw invalid("code", "Is not the current code of the app. Check the time of your device");
    audit.setTarget("user", userId);
    const recoveryCodes = await storeSecondFactor(tx, sealer, { account, step, ...enrolment }, now);
    if (recoveryCodes === null) {
      throw new ServiceError("conflict", "Your second step was changed after this set-up began. Begin again.");
    }
    return { recoveryCodes };
  },
});
