import { caseOf } from "../testing/operation-case.ts";
import { subjectPasskey } from "../testing/passkeys.ts";
import { removePasskey } from "./remove.ts";

export const removePasskeyCase = caseOf(removePasskey, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF",
  input: async ({ world }) => ({ id: await subjectPasskey(world) }),
  statements: 12,
});
