import { caseOf } from "../testing/operation-case.ts";
import { ofSearch } from "../testing/plan-bounds.ts";
import { searchForAssistants } from "./search.ts";

export const searchForAssistantsCase = caseOf(searchForAssistants, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ ++",
  input: () => ({ query: "subject" }),
  statements: 4,
  withoutRoute: "the tools of assistants",
  plans: ({ subjects: { rareWord, documentIds }, callers: { person } }) => [
    { caller: person, input: { query: rareWord }, reads: ofSearch },
    { caller: person, input: { query: rareWord, under: documentIds[0] }, reads: ofSearch },
  ],
});
