import { newId } from "@kb/db";
import { caseOf } from "../testing/operation-case.ts";
import { subjectPasskey } from "../testing/passkeys.ts";
import { renamePasskey } from "./rename.ts";

export const renamePasskeyCase = caseOf(renamePasskey, {
  access: "AKKKKKKK FFFF FFFFFFF KK +NNNNN FF FF",
  input: async ({ world }) => ({ id: await subjectPasskey(world), name: newId() }),
  statements: 8,
});
