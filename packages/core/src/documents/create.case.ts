import { caseOf } from "../testing/operation-case.ts";
import { createDocument } from "./create.ts";

export const createDocumentCase = caseOf(createDocument, {
  access: "AKKKKKKK S+++ NF+NF++ KK +++F+N N+ KK",
  input: (scene) => ({ collectionId: scene.collectionId, title: "By the matrix" }),
  statements: 8,
});
