import { newcomer } from "../../testing/matrix/subjects.ts";
import { caseOf } from "../../testing/operation-case.ts";
import { givePicture } from "../../testing/picture.ts";
import { removePictureOf } from "./remove-picture-of.ts";

export const removePictureOfCase = caseOf(removePictureOf, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => {
    const id = await newcomer(scene);
    await givePicture(scene.world, id);
    return { id };
  },
  statements: 12,
});
