import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofOne, ofPage } from "../testing/plan-bounds.ts";
import { readDocumentForAssistants } from "./read-documents.ts";

export const readDocumentForAssistantsCase = caseOf(readDocumentForAssistants, {
  access: "AKKKKKKK +S++ N+++++N KK +++++N N+ ++",
  input: publishedDocument,
  statements: 3,
  withoutRoute: "the tools of assistants",
  plans: ({ subjects: { documentIds }, callers: { person } }) => [
    { caller: person, input: { id: documentIds[0] }, reads: ofOne },
    { caller: person, input: { ids: documentIds.slice(0, 10) }, reads: ofPage },
  ],
});
