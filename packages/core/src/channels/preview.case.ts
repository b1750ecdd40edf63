import { caseOf } from "../testing/operation-case.ts";
import { ofTotal } from "../testing/plan-bounds.ts";
import { previewChannel } from "./preview.ts";

export const previewChannelCase = caseOf(previewChannel, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: ({ collectionId }) => ({ collectionIds: [collectionId] }),
  statements: 9,
  plans: ({ subjects, callers: { person } }) => [
    { caller: person, input: { collectionIds: [subjects.collectionId] }, reads: ofTotal },
    { caller: person, input: { tagIds: [subjects.tags.rareId] }, reads: ofTotal },
  ],
});
