import { shownClient } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { authorizeApp } from "./authorize.ts";

export const authorizeAppCase = caseOf(authorizeApp, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: async (scene) => {
    const { service, teamId, people } = scene.world;
    const { team } = service.database.client;
    // The other team's people are asked too.
    await team.update({ where: { id: people.outsider.actor.teamId }, data: { mcpEnabled: true } });
    // The case of the requests for approval switches it on.
    await team.update({ where: { id: teamId }, data: { appApprovalRequired: false } });
    const binding = { redirectUri: "https://app.example.com/back", codeChallenge: "c".repeat(43) };
    const resource = `${service.appUrl}/api/mcp`;
    return { ...(await shownClient(scene)), ...binding, resource, scopes: ["read"] };
  },
  statements: 8,
  withoutRoute: "the authorization endpoint",
});
