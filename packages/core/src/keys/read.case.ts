import { apiKey } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { getApiKey, listApiKeys, listApiKeysByKey } from "./read.ts";

export const getApiKeyCase = caseOf(getApiKey, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++NFFN FF FF",
  input: apiKey,
  statements: 3,
  withoutPlans: "one key by its id",
});

export const listApiKeysCase = caseOf(listApiKeys, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++FF+ FF FF",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});

export const listApiKeysByKeyCase = caseOf(listApiKeysByKey, {
  access: "AKKKKKKK SSS+ SSSSSSS KK +++FF+ SS KK",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});
