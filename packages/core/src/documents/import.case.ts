import { newId } from "@kb/db";
import { caseOf } from "../testing/operation-case.ts";
import { importDocument } from "./import.ts";

export const importDocumentCase = caseOf(importDocument, {
  access: "AKKKKKKK S+++ NF+NF++ KK +++F+N N+ S+",
  input: (scene) => ({ id: newId(), collectionId: scene.collectionId, title: "By the matrix" }),
  statements: 8,
  withoutRoute: "kb import",
});
