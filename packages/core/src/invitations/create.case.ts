import { newId } from "@kb/db";
import { caseOf } from "../testing/operation-case.ts";
import { createInvitations } from "./create.ts";

export const createInvitationsCase = caseOf(createInvitations, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({ emails: [`${newId()}@example.org`] }),
  statements: 14,
});
