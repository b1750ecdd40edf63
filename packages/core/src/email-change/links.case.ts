import { newId } from "@kb/db";
import { invoke } from "../invoke.ts";
import { newcomer } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { createEmailChangeLinks } from "./links.ts";
import { startEmailChange } from "./start.ts";

export const createEmailChangeLinksCase = caseOf(createEmailChangeLinks, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => {
    const id = await newcomer(scene);
    const own = { ...scene.inApp, userId: id };
    await invoke(scene.world.service, startEmailChange, own, { email: `${newId()}@example.org` });
    return { id };
  },
  statements: 14,
});
