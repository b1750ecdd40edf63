import { caseOf } from "../testing/operation-case.ts";
import { destroyDocument, emptyTrash } from "./destroy.ts";

export const destroyDocumentCase = caseOf(destroyDocument, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ id: await scene.document("trashed") }),
  statements: 18,
});

export const emptyTrashCase = caseOf(emptyTrash, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: async (scene) => {
    await scene.document("trashed");
    return {};
  },
  statements: 18,
});
