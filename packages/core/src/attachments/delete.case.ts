import { invoke } from "../index.ts";
import { dot } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { attachBytes } from "./attach.ts";
import { deleteAttachment } from "./delete.ts";

export const deleteAttachmentCase = caseOf(deleteAttachment, {
  access: "AKKKKKKK FFFF FFFFFFF KK +++FFN FF FF",
  input: async (scene) => {
    const file = { name: "dot.png", bytes: dot, documentId: await scene.document() };
    const { id } = await invoke(scene.world.service, attachBytes, scene.inApp, file);
    return { id };
  },
  statements: 6,
});
