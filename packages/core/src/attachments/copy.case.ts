import { caseOf } from "../testing/operation-case.ts";
import { copyPicture } from "./copy.ts";

export const copyPictureCase = caseOf(copyPicture, {
  access: "AKKKKKKK S+++ NF+F+FN KK +++FFN N+ KK",
  input: async (scene) => ({ url: "https://pictures.example.com/dot.png", documentId: await scene.document() }),
  statements: 9,
});
