import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listPasskeys } from "./list.ts";

export const listPasskeysCase = caseOf(listPasskeys, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 3,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
