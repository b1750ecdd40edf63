import { caseOf } from "../../testing/operation-case.ts";
import { givePicture } from "../../testing/picture.ts";
import { getPicture } from "./get-picture.ts";

export const getPictureCase = caseOf(getPicture, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: async ({ world, inApp }) => {
    await givePicture(world, inApp.userId);
    return { id: inApp.userId };
  },
  statements: 1,
  withoutPlans: "reads one row by its primary key, and refuses where there is none",
  withoutRoute: "the web app, as the address of an image",
});
