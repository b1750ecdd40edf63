import { caseOf } from "../../testing/operation-case.ts";
import { removeLogo } from "./remove-logo.ts";

export const removeLogoCase = caseOf(removeLogo, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({}),
  statements: 8,
});
