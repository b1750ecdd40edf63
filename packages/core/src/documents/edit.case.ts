import { caseOf } from "../testing/operation-case.ts";
import { editDocument } from "./edit.ts";

export const editDocumentCase = caseOf(editDocument, {
  access: "AKKKKKKK S+++ NF+F+FN KK +++FFN N+ KK",
  input: async (scene) => ({ id: await scene.document(), op: "append", markdown: "By the matrix" }),
  statements: 8,
});
