import { caseOf } from "../testing/operation-case.ts";
import { ofPage, plus } from "../testing/plan-bounds.ts";
import { listRecent } from "./recent.ts";

export const listRecentCase = caseOf(listRecent, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({ lists: ["viewed", "changed", "created", "drafts"] }),
  statements: 5,
  plans: ({ callers: { person } }) => [
    { caller: person, input: { lists: ["viewed", "created", "drafts"] }, reads: plus(4_000, ofPage) },
    // The newest 1,000 changes are looked through.
    { caller: person, input: { lists: ["changed"] }, reads: plus(8_000, ofPage) },
  ],
});
