import { shownClient } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { askForApp } from "./ask.ts";

export const askForAppCase = caseOf(askForApp, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: async (scene) => {
    const { service, teamId } = scene.world;
    await service.database.client.team.update({ where: { id: teamId }, data: { appApprovalRequired: true } });
    return shownClient(scene);
  },
  statements: 11,
  withoutRoute: "the authorization endpoint",
});
