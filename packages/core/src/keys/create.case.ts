import { caseOf } from "../testing/operation-case.ts";
import { createApiKey } from "./create.ts";

export const createApiKeyCase = caseOf(createApiKey, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++FF+ FF FF",
  input: () => ({ name: "By the matrix", scopes: ["read"] }),
  statements: 8,
  statementsOfAnyInput: 12,
});
