import { renamedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { undoRevision } from "./undo-revision.ts";

export const undoRevisionCase = caseOf(undoRevision, {
  access: "AKKKKKKK S+++ NF+F+FN KK +++FFN N+ KK",
  input: async (scene) => ({ ...(await renamedDocument(scene)), revision: 2 }),
  statements: 9,
});
