import { ownCollection } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { setDefaultAccess } from "./default-access.ts";

export const setDefaultAccessCase = caseOf(setDefaultAccess, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ ...(await ownCollection(scene)), defaultAccess: "read" }),
  statements: 8,
});
