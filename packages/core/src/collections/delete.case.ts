import { ownCollection } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { deleteCollection } from "./delete.ts";

export const deleteCollectionCase = caseOf(deleteCollection, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: ownCollection,
  statements: 8,
  statementsOfAnyInput: 18,
});
