import { newcomer } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { giveSecondFactor } from "../testing/second-factor.ts";
import { resetSecondFactor } from "./reset-second-factor.ts";

export const resetSecondFactorCase = caseOf(resetSecondFactor, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => {
    const id = await newcomer(scene);
    await giveSecondFactor(scene.world, { ...scene.world.people.admin, id });
    return { id };
  },
  statements: 12,
});
