import { invoke } from "../invoke.ts";
import { newcomer, user } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { suspendUser, unsuspendUser } from "./suspend.ts";

export const suspendUserCase = caseOf(suspendUser, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: user,
  statements: 12,
});

export const unsuspendUserCase = caseOf(unsuspendUser, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => {
    const id = await newcomer(scene);
    await invoke(scene.world.service, suspendUser, scene.inApp, { id });
    return { id };
  },
  statements: 8,
});
