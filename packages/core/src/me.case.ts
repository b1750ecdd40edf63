import { getMe } from "./me.ts";
import { caseOf } from "./testing/operation-case.ts";
import { ofPage } from "./testing/plan-bounds.ts";

export const getMeCase = caseOf(getMe, {
  access: "AKKKKKKK +S++ +++++++ KK ++++++ ++ KK",
  input: () => ({}),
  statements: 3,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
