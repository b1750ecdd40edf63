import { passwordOfAll } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { takeSecondFactor } from "../testing/second-factor.ts";
import { proveOwner } from "./prove.ts";

export const proveOwnerCase = caseOf(proveOwner, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: async ({ world }) => {
    await takeSecondFactor(world, world.people.admin);
    return { proof: passwordOfAll };
  },
  statements: 12,
});
