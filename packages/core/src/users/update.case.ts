import { user } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { setUserGroups, updateUser } from "./update.ts";

export const setUserGroupsCase = caseOf(setUserGroups, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ ...(await user(scene)), groupIds: [] }),
  statements: 12,
});

export const updateUserCase = caseOf(updateUser, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ ...(await user(scene)), name: "By the matrix" }),
  statements: 8,
  statementsOfAnyInput: 12,
});
