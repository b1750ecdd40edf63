import { caseOf } from "../testing/operation-case.ts";
import { ofPage, plus } from "../testing/plan-bounds.ts";
import { readTree } from "./tree.ts";

export const readTreeCase = caseOf(readTree, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: (scene) => ({ collectionId: scene.collectionId }),
  statements: 4,
  plans: ({ subjects, callers: { person } }) => {
    const { collectionId } = subjects;
    return [
      { caller: person, input: { collectionId }, reads: plus(20_000, ofPage) },
      { caller: person, input: { collectionId, limit: 10 }, reads: ofPage },
      { caller: person, input: { collectionId, parentId: subjects.documentIds[0] }, reads: ofPage },
      { caller: person, input: { to: subjects.documentIds[0] }, reads: plus(20_000, ofPage) },
    ];
  },
});
