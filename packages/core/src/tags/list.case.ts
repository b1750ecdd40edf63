import { caseOf } from "../testing/operation-case.ts";
import { ofPage, plus } from "../testing/plan-bounds.ts";
import { listTags } from "./list.ts";

export const listTagsCase = caseOf(listTags, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ KK",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person, restricted } }) => [
    { caller: person, input: {}, reads: ofPage },
    { caller: restricted, input: {}, reads: plus(4_000, ofPage) },
  ],
});
