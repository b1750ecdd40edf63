import { dot } from "../../testing/matrix/subjects.ts";
import { caseOf } from "../../testing/operation-case.ts";
import { setPicture } from "./set-picture.ts";

export const setPictureCase = caseOf(setPicture, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({ image: Buffer.from(dot).toString("base64") }),
  statements: 8,
});
