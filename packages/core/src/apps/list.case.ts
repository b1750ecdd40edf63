import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listApps } from "./list.ts";

export const listAppsCase = caseOf(listApps, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
