import { newId } from "@kb/db";
import { passwordOfAll } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { createUserByKey, inviteUser } from "./invite.ts";

export const inviteUserCase = caseOf(inviteUser, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({ email: `${newId()}@example.org`, password: passwordOfAll }),
  statements: 12,
});

export const createUserByKeyCase = caseOf(createUserByKey, {
  access: "AKKKKKKK SSS+ SSSSSSS KK +FFFF+ SS KK",
  input: () => ({ email: `${newId()}@example.org`, password: passwordOfAll }),
  statements: 12,
});
