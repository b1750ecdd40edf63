import { caseOf } from "../testing/operation-case.ts";
import { ofSearch } from "../testing/plan-bounds.ts";
import { searchForAssistants } from "./search.ts";

export const searchForAssistantsCase = caseOf(searchForAssistants, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ ++",
  input: () => ({ query: "subject" }),
  statements: 4,
  withoutRoute: "the tools of assistants",
  plans: ({ subjects, callers }) => [{ caller: callers.person, input: { query: subjects.rareWord }, reads: ofSearch }],
});
