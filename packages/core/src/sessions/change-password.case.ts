import { passwordOfAll } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { changePassword } from "./change-password.ts";

export const changePasswordCase = caseOf(changePassword, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({ currentPassword: passwordOfAll, newPassword: passwordOfAll }),
  statements: 12,
});
