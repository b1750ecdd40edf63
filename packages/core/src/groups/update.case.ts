import { group, unique } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { updateGroup } from "./update.ts";

export const updateGroupCase = caseOf(updateGroup, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ ...(await group(scene)), name: unique("Group") }),
  statements: 8,
});
