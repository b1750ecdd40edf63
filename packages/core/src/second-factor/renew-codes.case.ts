import { caseOf } from "../testing/operation-case.ts";
import { giveSecondFactor } from "../testing/second-factor.ts";
import { renewRecoveryCodes } from "./renew-codes.ts";

export const renewRecoveryCodesCase = caseOf(renewRecoveryCodes, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF",
  input: async ({ world }) => ({ code: (await giveSecondFactor(world, world.people.admin)).recoveryCodes[0] }),
  statements: 16,
});
