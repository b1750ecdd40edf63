import { collection } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { listGrantCandidates, listGrants } from "./access-lists.ts";

export const listGrantCandidatesCase = caseOf(listGrantCandidates, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: collection,
  statements: 4,
  plans: ({ subjects, callers }) => [
    { caller: callers.person, input: { id: subjects.collectionId, query: "per" }, reads: ofOne },
  ],
});

export const listGrantsCase = caseOf(listGrants, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: collection,
  statements: 4,
  plans: ({ subjects, callers }) => [{ caller: callers.person, input: { id: subjects.collectionId }, reads: ofOne }],
});
