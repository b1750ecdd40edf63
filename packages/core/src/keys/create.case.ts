import { caseOf } from "../testing/operation-case.ts";
import { createApiKey, createApiKeyByKey } from "./create.ts";

export const createApiKeyCase = caseOf(createApiKey, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++FF+ FF FF",
  input: () => ({ name: "By the matrix", scopes: ["read"] }),
  statements: 8,
  statementsOfAnyInput: 12,
});

export const createApiKeyByKeyCase = caseOf(createApiKeyByKey, {
  access: "AKKKKKKK SSS+ SSSSSSS KK +++FF+ SS KK",
  input: () => ({ name: "By the matrix", scopes: ["read"] }),
  statements: 9,
  statementsOfAnyInput: 13,
});
