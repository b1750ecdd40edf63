import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { documentHistory } from "./document-history.ts";

export const documentHistoryCase = caseOf(documentHistory, {
  access: "AKKKKKKK +S++ N+++++N KK +++++N N+ ++",
  input: publishedDocument,
  statements: 3,
  withoutRoute: "the tools of assistants",
  plans: ({ subjects, callers }) => [
    { caller: callers.person, input: { id: subjects.documentIds[0] }, reads: ofOne },
    { caller: callers.person, input: { id: subjects.documentIds[0], revision: 1 }, reads: ofOne },
  ],
});
