import { caseOf } from "../../testing/operation-case.ts";
import { givePicture } from "../../testing/picture.ts";
import { ofOne } from "../../testing/plan-bounds.ts";
import { getPicture } from "./get-picture.ts";

export const getPictureCase = caseOf(getPicture, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: async ({ world, inApp }) => {
    await givePicture(world, inApp.userId);
    return { id: inApp.userId };
  },
  statements: 1,
  plans: ({ callers: { person } }) => [{ caller: person, input: { id: person.userId }, reads: ofOne }],
  withoutRoute: "the web app, as the address of an image",
});
