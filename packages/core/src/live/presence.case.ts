import { caseOf } from "../testing/operation-case.ts";
import { tellPresence } from "./presence.ts";

export const tellPresenceCase = caseOf(tellPresence, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++++N FF FF",
  // One tab id serves all callers, because none of them stays.
  input: async (scene) => ({ documentId: await scene.document(), tabId: crypto.randomUUID(), leave: true }),
  statements: 2,
  withoutPlans: "reads one document by its key",
});
