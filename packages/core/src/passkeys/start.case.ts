import { caseOf } from "../testing/operation-case.ts";
import { startPasskey } from "./start.ts";

export const startPasskeyCase = caseOf(startPasskey, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 8,
});
