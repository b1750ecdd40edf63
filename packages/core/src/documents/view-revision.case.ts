import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { viewRevision } from "./view-revision.ts";

export const viewRevisionCase = caseOf(viewRevision, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: async (scene) => ({ id: await scene.document(), revision: 1 }),
  statements: 3,
  plans: ({ subjects, callers }) => [
    { caller: callers.person, input: { id: subjects.documentIds[0], revision: 1 }, reads: ofOne },
  ],
});
