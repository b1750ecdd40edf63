import { invitation } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { resendInvitation } from "./resend.ts";

export const resendInvitationCase = caseOf(resendInvitation, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: invitation,
  statements: 13,
});
