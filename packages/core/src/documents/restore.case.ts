import { caseOf } from "../testing/operation-case.ts";
import { restoreDocument } from "./restore.ts";

export const restoreDocumentCase = caseOf(restoreDocument, {
  access: "AKKKKKKK S+++ NN+N+NN KK ++NFFN N+ KK",
  input: async (scene) => ({ id: await scene.document("trashed") }),
  statements: 8,
  statementsOfAnyInput: 12,
});
