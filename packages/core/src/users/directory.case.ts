import { caseOf } from "../testing/operation-case.ts";
import { ofTotal } from "../testing/plan-bounds.ts";
import { listDirectory } from "./directory.ts";

export const listDirectoryCase = caseOf(listDirectory, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 2,
  plans: ({ callers: { person } }) => [{ caller: person, input: { query: "e" }, reads: ofTotal }],
});
