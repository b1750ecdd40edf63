import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listGroups, listGroupsByKey } from "./list.ts";

export const listGroupsCase = caseOf(listGroups, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});

export const listGroupsByKeyCase = caseOf(listGroupsByKey, {
  access: "AKKKKKKK SSS+ SSSSSSS KK +FFFF+ SS KK",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
