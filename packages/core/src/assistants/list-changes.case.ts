import { caseOf } from "../testing/operation-case.ts";
import { daysBefore, ofPage, plus } from "../testing/plan-bounds.ts";
import { listChangesForAssistants } from "./list-changes.ts";

export const listChangesForAssistantsCase = caseOf(listChangesForAssistants, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ ++",
  input: () => ({ since: "2026-01-01", limit: 1 }),
  statements: 4,
  withoutRoute: "the tools of assistants",
  plans: ({ subjects: { collectionId, startedAt }, callers: { person, restricted } }) => {
    const since = daysBefore(startedAt, 180);
    return [
      { caller: person, input: { since }, reads: plus(1_000, ofPage) },
      { caller: restricted, input: { since }, reads: plus(4_000, ofPage) },
      { caller: person, input: { since, collectionId }, reads: plus(1_000, ofPage) },
      { caller: person, input: { since, diff: true }, reads: plus(1_000, ofPage) },
    ];
  },
});
