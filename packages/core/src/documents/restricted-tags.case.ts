import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { listRestrictedTags, setRestrictedTags } from "./restricted-tags.ts";

export const listRestrictedTagsCase = caseOf(listRestrictedTags, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: async (scene) => ({ id: await scene.document() }),
  statements: 4,
  plans: ({ subjects, callers }) => [{ caller: callers.person, input: { id: subjects.documentIds[0] }, reads: ofOne }],
});

export const setRestrictedTagsCase = caseOf(setRestrictedTags, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++FFN FF FF",
  input: async (scene) => ({ id: await scene.document(), tagIds: [] }),
  statements: 8,
});
