import { caseOf } from "../testing/operation-case.ts";
import { updateDocument } from "./update.ts";

export const updateDocumentCase = caseOf(updateDocument, {
  access: "AKKKKKKK S+++ NF+F+FN KK +++FFN N+ KK",
  input: async (scene) => ({ id: await scene.document(), title: "By the matrix" }),
  statements: 8,
  statementsOfAnyInput: 16,
});
