import { caseOf } from "../testing/operation-case.ts";
import { updateProfile } from "./update-profile.ts";

export const updateProfileCase = caseOf(updateProfile, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({ language: "ar", theme: "dark" }),
  statements: 8,
});
