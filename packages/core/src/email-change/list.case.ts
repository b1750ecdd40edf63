import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listEmailChanges } from "./list.ts";

export const listEmailChangesCase = caseOf(listEmailChanges, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({}),
  statements: 3,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
