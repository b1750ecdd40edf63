import { shownClient } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { authorizeApp } from "./authorize.ts";

export const authorizeAppCase = caseOf(authorizeApp, {
  access: "AKKKKKKK FFFF FFFFFFF KK ++++++ FF FF",
  input: async (scene) => {
    const { service, people } = scene.world;
    // The other team's people are asked too.
    const where = { id: people.outsider.actor.teamId };
    await service.database.client.team.update({ where, data: { mcpEnabled: true } });
    const binding = { redirectUri: "https://app.example.com/back", codeChallenge: "c".repeat(43) };
    const resource = `${service.appUrl}/api/mcp`;
    return { ...(await shownClient(scene)), ...binding, resource, scopes: ["read"] };
  },
  statements: 8,
  withoutRoute: "the authorization endpoint",
});
