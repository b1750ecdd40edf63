import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { viewDocument } from "./view.ts";

export const viewDocumentCase = caseOf(viewDocument, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: publishedDocument,
  statements: 2,
  plans: ({ subjects, callers: { person } }) => [
    { caller: person, input: { id: subjects.documentIds[0] }, reads: ofOne },
    { caller: person, input: { id: subjects.documentIds[1], include: ["text", "content"] }, reads: ofOne },
  ],
});
