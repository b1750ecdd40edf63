import { caseOf } from "../testing/operation-case.ts";
import { subjectPasskey } from "../testing/passkeys.ts";
import { challengePasskey } from "./challenge.ts";

export const challengePasskeyCase = caseOf(challengePasskey, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF",
  input: async ({ world }) => {
    await subjectPasskey(world);
    return {};
  },
  statements: 8,
});
