import { invoke } from "../invoke.ts";
import { insertedText } from "../testing/live-client.ts";
import { caseOf } from "../testing/operation-case.ts";
import { openLive } from "./open.ts";
import { pushSteps } from "./push.ts";

export const pushStepsCase = caseOf(pushSteps, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++FFN FF FF",
  input: async (scene) => {
    const documentId = await scene.document();
    const { lineage, version, schema } = await invoke(scene.world.service, openLive, scene.inApp, { documentId });
    const clientId = crypto.randomUUID();
    return { documentId, lineage, clientId, seq: 1, base: version, schema, steps: [insertedText(1, "By the matrix")] };
  },
  statements: 8,
});
