import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { deleteDocument } from "./delete.ts";

export const deleteDocumentCase = caseOf(deleteDocument, {
  access: "AKKKKKKK S+++ NF+F+FN KK ++FFFN N+ KK",
  input: publishedDocument,
  statements: 8,
  statementsOfAnyInput: 12,
});
