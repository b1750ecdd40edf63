import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { getEmailChange } from "./info.ts";

export const getEmailChangeCase = caseOf(getEmailChange, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 3,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofOne }],
});
