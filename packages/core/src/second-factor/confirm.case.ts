import { findFactorMark } from "@kb/auth";
import { totpCode } from "@kb/auth/testing";
import { requireSealer } from "../require-sealer.ts";
import { caseOf } from "../testing/operation-case.ts";
import { confirmSecondFactor } from "./confirm.ts";
import { createEnrolment } from "./enrolment.ts";

export const confirmSecondFactorCase = caseOf(confirmSecondFactor, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF",
  input: async ({ world: { service, people } }) => {
    const now = service.clock.now();
    const { email, actor } = people.admin;
    const replaces = await findFactorMark(service.database, actor);
    const about = { team: "Team", email, replaces };
    const { ticket, secret } = createEnrolment(requireSealer(service.sealer), actor, about, now);
    return { ticket, code: totpCode(secret, now) };
  },
  statements: 15,
});
