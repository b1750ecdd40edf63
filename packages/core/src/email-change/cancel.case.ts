import { caseOf } from "../testing/operation-case.ts";
import { cancelEmailChange } from "./cancel.ts";

export const cancelEmailChangeCase = caseOf(cancelEmailChange, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 8,
});
