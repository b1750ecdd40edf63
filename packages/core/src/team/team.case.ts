import { unique } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { getTeam, updateTeam } from "./team.ts";

export const getTeamCase = caseOf(getTeam, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 3,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});

export const updateTeamCase = caseOf(updateTeam, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({ name: unique("Team") }),
  statements: 8,
});
