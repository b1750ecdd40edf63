import { caseOf } from "../testing/operation-case.ts";
import { ofTotal } from "../testing/plan-bounds.ts";
import { listAttachments } from "./list.ts";

export const listAttachmentsCase = caseOf(listAttachments, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: async (scene) => ({ documentId: await scene.document() }),
  statements: 3,
  plans: ({ subjects, callers: { person } }) => [
    { caller: person, input: { documentId: subjects.documentIds[0] }, reads: ofTotal },
  ],
});
