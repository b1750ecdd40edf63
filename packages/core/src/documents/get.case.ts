import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { getDocument } from "./get.ts";

export const getDocumentCase = caseOf(getDocument, {
  access: "AKKKKKKK +S++ N+++++N KK +++++N N+ KK",
  input: publishedDocument,
  statements: 1,
  plans: ({ subjects, callers }) => [
    {
      caller: callers.person,
      input: { id: subjects.documentIds[0], format: "markdown", include: "content" },
      reads: ofOne,
    },
  ],
});
