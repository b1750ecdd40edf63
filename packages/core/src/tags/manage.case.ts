import { tag } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { deleteTag, updateTag } from "./manage.ts";

export const deleteTagCase = caseOf(deleteTag, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: tag,
  statements: 8,
  statementsOfAnyInput: 19,
});

export const updateTagCase = caseOf(updateTag, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ ...(await tag(scene)), color: "#123456" }),
  statements: 8,
  statementsOfAnyInput: 19,
});
