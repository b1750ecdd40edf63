import { caseOf } from "../testing/operation-case.ts";
import { getSession } from "./get-session.ts";

export const getSessionCase = caseOf(getSession, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 3,
  withoutPlans: "needs the token of a log-in; reads only the caller",
});
