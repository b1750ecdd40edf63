import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listStars } from "./list.ts";

export const listStarsCase = caseOf(listStars, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 1,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
