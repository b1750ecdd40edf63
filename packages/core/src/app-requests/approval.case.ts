import { shownClient } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { getAppApproval } from "./approval.ts";

export const getAppApprovalCase = caseOf(getAppApproval, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: shownClient,
  statements: 1,
  plans: ({ callers: { person } }) => [
    { caller: person, input: { clientId: "unknown", name: null, redirectUris: [] }, reads: ofOne },
  ],
  withoutRoute: "the authorization endpoint",
});
