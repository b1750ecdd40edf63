import { unique } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listRestricted, restrictTag } from "./restrict.ts";

export const listRestrictedCase = caseOf(listRestricted, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});

export const restrictTagCase = caseOf(restrictTag, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: ({ world }) => ({ name: unique("tag"), userIds: [world.people.admin.id] }),
  statements: 12,
});
