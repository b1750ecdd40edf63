import { newImport } from "../testing/matrix/new-import.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { getImport, listImports } from "./read.ts";

export const listImportsCase = caseOf(listImports, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 3,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});

export const getImportCase = caseOf(getImport, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF",
  input: newImport("queued"),
  statements: 4,
  withoutPlans: "reads one row by its key",
});
