import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { getRevision, listRevisions, restoreRevision } from "./revisions.ts";

export const getRevisionCase = caseOf(getRevision, {
  access: "AKKKKKKK +S++ N+++++N KK +++++N N+ KK",
  input: async (scene) => ({ id: await scene.document(), revision: 1 }),
  statements: 3,
  plans: ({ subjects, callers }) => [
    { caller: callers.person, input: { id: subjects.documentIds[0], revision: 1 }, reads: ofOne },
  ],
});

export const listRevisionsCase = caseOf(listRevisions, {
  access: "AKKKKKKK +S++ N+++++N KK +++++N N+ KK",
  input: publishedDocument,
  statements: 4,
  plans: ({ subjects, callers }) => [{ caller: callers.person, input: { id: subjects.documentIds[0] }, reads: ofOne }],
});

export const restoreRevisionCase = caseOf(restoreRevision, {
  access: "AKKKKKKK S+++ NF+F+FN KK +++FFN N+ KK",
  input: async (scene) => ({ id: await scene.document(), revision: 1 }),
  statements: 8,
});
