import { unknownId } from "../testing/caller.ts";
import { caseOf } from "../testing/operation-case.ts";
import { streamLive } from "./stream.ts";

export const streamLiveCase = caseOf(streamLive, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: async (scene) => ({ documentId: await scene.document(), lineage: unknownId, since: 0 }),
  statements: 3,
  withoutPlans: "reads one document by its key; the feed reads the heads of logs by their keys",
});
