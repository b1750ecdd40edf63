import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofTotal } from "../testing/plan-bounds.ts";
import { listBacklinks } from "./backlinks.ts";

export const listBacklinksCase = caseOf(listBacklinks, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: publishedDocument,
  statements: 3,
  plans: ({ subjects, callers: { person } }) => [
    { caller: person, input: { id: subjects.documentIds[0] }, reads: ofTotal },
  ],
});
