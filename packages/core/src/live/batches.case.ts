import { invoke } from "../invoke.ts";
import { caseOf } from "../testing/operation-case.ts";
import { pullBatches } from "./batches.ts";
import { openLive } from "./open.ts";

export const pullBatchesCase = caseOf(pullBatches, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  input: async (scene) => {
    const documentId = await scene.document();
    const { lineage, version } = await invoke(scene.world.service, openLive, scene.inApp, { documentId });
    return { documentId, lineage, since: version };
  },
  statements: 4,
  withoutPlans: "reads one document and the log of this document, by their keys",
});
