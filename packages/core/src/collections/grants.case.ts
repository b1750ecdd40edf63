import { invoke } from "../invoke.ts";
import { newcomer } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { removeGrant, setGrant } from "./grants.ts";

export const removeGrantCase = caseOf(removeGrant, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => {
    const grant = { id: scene.collectionId, userId: await newcomer(scene) };
    await invoke(scene.world.service, setGrant, scene.inApp, { ...grant, level: "read" });
    return grant;
  },
  statements: 8,
});

export const setGrantCase = caseOf(setGrant, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({
    id: scene.collectionId,
    userId: await newcomer(scene),
    level: "read",
  }),
  statements: 8,
});
