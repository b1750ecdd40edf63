import { unique } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { createGroup } from "./create.ts";

export const createGroupCase = caseOf(createGroup, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({ name: unique("Group"), capabilities: ["document.read"] }),
  statements: 8,
});
