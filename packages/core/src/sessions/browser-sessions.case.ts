import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { listSessions, revokeSession } from "./browser-sessions.ts";

export const listSessionsCase = caseOf(listSessions, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});

export const revokeSessionCase = caseOf(revokeSession, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF",
  input: async ({ world }) => ({ id: (await world.session(world.people.admin)).id }),
  statements: 8,
});
