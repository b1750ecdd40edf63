import { invitation } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { revokeInvitation } from "./revoke.ts";

export const revokeInvitationCase = caseOf(revokeInvitation, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: invitation,
  statements: 9,
});
