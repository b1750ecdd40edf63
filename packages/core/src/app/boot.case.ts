import { caseOf } from "../testing/operation-case.ts";
import { bootApp } from "./boot.ts";

export const bootAppCase = caseOf(bootApp, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 2,
  plans: ({ callers: { person } }) => [
    // The counts of collections are kept; no document is read.
    {
      caller: {
        ...person,
        credential: { ...person.credential, session: { csrfToken: "token", provenAt: new Date() } },
      },
      input: {},
      reads: () => 0,
    },
  ],
});
