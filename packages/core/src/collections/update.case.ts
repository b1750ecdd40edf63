import { caseOf } from "../testing/operation-case.ts";
import { updateCollection } from "./update.ts";

export const updateCollectionCase = caseOf(updateCollection, {
  access: "AKKKKKKK S+++ NF+NF++ KK ++FF+N N+ KK",
  input: (scene) => ({ id: scene.collectionId, description: "By the matrix" }),
  statements: 8,
});
