import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listCollectionsForAssistants } from "./list-collections.ts";

export const listCollectionsForAssistantsCase = caseOf(listCollectionsForAssistants, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ ++",
  input: () => ({}),
  statements: 4,
  withoutRoute: "the tools of assistants",
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
