import { unique } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { createGroup, createGroupByKey } from "./create.ts";

export const createGroupCase = caseOf(createGroup, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({ name: unique("Group"), capabilities: ["document.read"] }),
  statements: 8,
});

export const createGroupByKeyCase = caseOf(createGroupByKey, {
  access: "AKKKKKKK SSS+ SSSSSSS KK +FFFF+ SS KK",
  input: () => ({ name: unique("Group"), capabilities: ["document.read"] }),
  statements: 8,
});
