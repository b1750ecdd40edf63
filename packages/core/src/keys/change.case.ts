import { apiKey } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { revokeApiKey, updateApiKey } from "./change.ts";

export const revokeApiKeyCase = caseOf(revokeApiKey, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++NFFN FF FF",
  input: apiKey,
  statements: 8,
});

export const updateApiKeyCase = caseOf(updateApiKey, {
  access: "AKKKKKKK FFFF FFFFFFF KK N+NFFN FF FF",
  input: async (scene) => ({ ...(await apiKey(scene)), name: "By the matrix" }),
  statements: 8,
  statementsOfAnyInput: 12,
});
