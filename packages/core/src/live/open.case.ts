import { caseOf } from "../testing/operation-case.ts";
import { openLive } from "./open.ts";

export const openLiveCase = caseOf(openLive, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: async (scene) => ({ documentId: await scene.document() }),
  statements: 7,
});
