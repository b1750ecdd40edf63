import { invoke } from "../index.ts";
import { publishedDocument } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { createStar, deleteStar } from "./change.ts";

export const createStarCase = caseOf(createStar, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: publishedDocument,
  statements: 4,
});

export const deleteStarCase = caseOf(deleteStar, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: async (scene) => {
    const id = await scene.document();
    await invoke(scene.world.service, createStar, scene.inApp, { id });
    return { id };
  },
  statements: 2,
});
