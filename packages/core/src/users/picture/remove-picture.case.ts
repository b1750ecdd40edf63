import { caseOf } from "../../testing/operation-case.ts";
import { removePicture } from "./remove-picture.ts";

export const removePictureCase = caseOf(removePicture, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: () => ({}),
  statements: 8,
});
