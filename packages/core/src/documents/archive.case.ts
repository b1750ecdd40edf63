import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { archiveDocument, unarchiveDocument } from "./archive.ts";

export const archiveDocumentCase = caseOf(archiveDocument, {
  access: "AKKKKKKK S+++ NF+F+FN KK ++FFFN N+ KK",
  input: publishedDocument,
  statements: 8,
  statementsOfAnyInput: 12,
});

export const unarchiveDocumentCase = caseOf(unarchiveDocument, {
  access: "AKKKKKKK S+++ NF+F+FN KK ++FFFN N+ KK",
  input: async (scene) => ({ id: await scene.document("archived") }),
  statements: 8,
  statementsOfAnyInput: 12,
});
