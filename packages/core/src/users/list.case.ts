import { caseOf } from "../testing/operation-case.ts";
import { ofTotal, plus } from "../testing/plan-bounds.ts";
import { listUsers, listUsersByKey } from "./list.ts";

export const listUsersCase = caseOf(listUsers, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [
    // People are counted, and found by a part of their name.
    { caller: person, input: {}, reads: plus(4_000, ofTotal) },
  ],
});

export const listUsersByKeyCase = caseOf(listUsersByKey, {
  access: "AKKKKKKK SSS+ SSSSSSS KK +FFFF+ SS KK",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: plus(4_000, ofTotal) }],
});
