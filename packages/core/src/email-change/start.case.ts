import { newId } from "@kb/db";
import { caseOf } from "../testing/operation-case.ts";
import { startEmailChange } from "./start.ts";

export const startEmailChangeCase = caseOf(startEmailChange, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({ email: `${newId()}@example.org` }),
  statements: 14,
});
