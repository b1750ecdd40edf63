import { group } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { deleteGroup } from "./delete.ts";

export const deleteGroupCase = caseOf(deleteGroup, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: group,
  statements: 8,
});
