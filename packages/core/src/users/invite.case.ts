import { newId } from "@kb/db";
import { passwordOfAll } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { inviteUser } from "./invite.ts";

export const inviteUserCase = caseOf(inviteUser, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({ email: `${newId()}@example.org`, password: passwordOfAll }),
  statements: 12,
});
