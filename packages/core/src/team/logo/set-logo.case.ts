import { dot } from "../../testing/matrix/subjects.ts";
import { caseOf } from "../../testing/operation-case.ts";
import { setLogo } from "./set-logo.ts";

export const setLogoCase = caseOf(setLogo, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({ image: Buffer.from(dot).toString("base64") }),
  statements: 7,
});
