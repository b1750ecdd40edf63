import { user } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { createPasswordLink } from "./create-password-link.ts";

export const createPasswordLinkCase = caseOf(createPasswordLink, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: user,
  statements: 10,
});
