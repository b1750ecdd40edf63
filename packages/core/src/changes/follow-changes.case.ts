import { caseOf } from "../testing/operation-case.ts";
import { followChanges } from "./follow-changes.ts";

export const followChangesCase = caseOf(followChanges, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 4,
  withoutPlans: "reads one row of the clock and one event by their keys",
});
