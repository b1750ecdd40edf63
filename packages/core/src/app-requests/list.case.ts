import { caseOf } from "../testing/operation-case.ts";
import { ofTotal } from "../testing/plan-bounds.ts";
import { listAppRequests } from "./list.ts";

export const listAppRequestsCase = caseOf(listAppRequests, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({}),
  statements: 2,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofTotal }],
});
