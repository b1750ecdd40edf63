import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { deleteDocumentForAssistants } from "./delete.ts";

export const deleteDocumentForAssistantsCase = caseOf(deleteDocumentForAssistants, {
  access: "AKKKKKKK S+++ NF+F+FN KK ++FFFN N+ S+",
  input: publishedDocument,
  statements: 8,
  withoutRoute: "the tools of assistants",
});
