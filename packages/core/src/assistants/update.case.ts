import { caseOf } from "../testing/operation-case.ts";
import { updateDocumentForAssistants } from "./update.ts";

export const updateDocumentForAssistantsCase = caseOf(updateDocumentForAssistants, {
  access: "AKKKKKKK S+++ NF+F+FN KK +++FFN N+ S+",
  input: async (scene) => ({ id: await scene.document(), title: "By the matrix" }),
  statements: 8,
  withoutRoute: "the tools of assistants",
});
