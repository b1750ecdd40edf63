import { passwordOfAll, user } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { resetPassword } from "./reset-password.ts";

export const resetPasswordCase = caseOf(resetPassword, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ ...(await user(scene)), password: passwordOfAll }),
  statements: 12,
});
