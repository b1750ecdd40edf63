import { totpCode } from "@kb/auth/testing";
import {
  addPerson,
  type ConnectedApp,
  connectApp,
  createWorld,
  eventsDuring,
  isConnected,
  type Person,
  registerApp,
  sessionCallerOf,
  type TestCaller,
  testChallenge,
  testRedirectUri,
  type World,
} from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setPassword } from "../admin/users.ts";
import { ServiceError } from "../errors.ts";
import * as operations from "../operations.ts";
import { endGrant } from "./end-grants.ts";

type UserlessReason = Parameters<typeof endGrant>[1]["reason"];
type End = readonly [reason: string, end: (person: Person, own: TestCaller, app: ConnectedApp) => Promise<unknown>];

let test: TestDatabase;
let world: World;
let admin: TestCaller;
beforeAll(async () => {
  test = await testDatabase();
  world = await createWorld(test.database);
  admin = await sessionCallerOf(world, world.people.admin);
});
beforeEach(() => switchMcp(true));
afterAll(() => test.drop());

const password = "a password of a length";
const switchMcp = (mcpEnabled: boolean) => admin.run(operations.updateTeam, { mcpEnabled });
const suspend = ({ id }: Person) => admin.run(operations.suspendUser, { id });
const resetPassword = ({ id }: Person) => admin.run(operations.resetPassword, { id });
const end = (grantId: string, reason: UserlessReason, address?: string) =>
  test.database.transaction((tx) => endGrant(tx, { teamId: world.teamId, grantId, reason, now: new Date(), address }));

const changePassword = (_person: Person, own: TestCaller) =>
  own.run(operations.changePassword, { currentPassword: password, newPassword: "another password of a length" });

const setUpSecondFactor = async (_person: Person, own: TestCaller) => {
  const { ticket, secret } = await own.run(operations.startSecondFactor, { proof: password });
  await own.run(operations.confirmSecondFactor, { ticket, code: totpCode(secret, new Date()) });
};

const endBy = (reason: UserlessReason): End => [reason, (_person, _own, app) => end(app.grantId, reason, "192.0.2.7")];
const ends: readonly End[] = [
  ["revoked", (_person, own, { grantId: id }) => own.run(operations.revokeApp, { id })],
  ["user_suspended", suspend],
  ["password_changed", resetPassword],
  ["password_changed", changePassword],
  ["password_changed", ({ email }) => setPassword(world.service, email, "a password of the command line")],
  ["second_factor_set_up", setUpSecondFactor],
  ["mcp_disabled", () => switchMcp(false)],
  endBy("token_revoked"),
  endBy("code_reused"),
  endBy("refresh_token_reused"),
];

describe("a grant ends, with an event and an audit entry,", () => {
  it.each(ends.map(([reason, act], index) => ({ reason, act, index })))(
    "for the reason $reason (case $index)",
    { meta: { proves: ["decision.apps.also-ends", "decision.apps.told"] } },
    async ({ reason, act }) => {
      const person = await addPerson(world, "Members");
      await setPassword(world.service, person.email, password);
      const own = await sessionCallerOf(world, person);
      const app = await connectApp(world, person);
      const other = await connectApp(world, world.people.viewer);
      const events = await eventsDuring(world, () => act(person, own, app));
      expect(await isConnected(world, app)).toBe(false);
      expect(await isConnected(world, other)).toBe(reason !== "mcp_disabled");
      const revoked = events.filter(({ type, data }) => type === "app.revoked" && data.userId === person.id);
      expect(revoked.map(({ data }) => [data.id, data.reason])).toEqual([[app.grantId, reason]]);
      const where = { teamId: world.teamId, targetId: app.grantId, action: "oauth.revoke" };
      expect(await test.database.client.auditEntry.findMany({ where })).toEqual([
        expect.objectContaining({
          outcome: "success",
          targetType: "oauth_grant",
          details: { reason, userId: person.id, clientId: app.clientId },
        }),
      ]);
    },
  );
});

it("an app that returned its token is the actor of the event", async () => {
  const { grantId } = await connectApp(world, world.people.editor);
  await end(grantId, "token_revoked");
  const event = await test.database.client.event.findFirst({
    where: { teamId: world.teamId, type: "app.revoked" },
    orderBy: { sequence: "desc" },
  });
  expect(event?.actor).toEqual({ type: "app", id: grantId, name: "Example Assistant" });
});

it.each<[string, (person: Person) => Promise<unknown>]>([
  ["MCP is switched off", () => switchMcp(false)],
  ["the user is suspended", suspend],
  ["the password of the user is reset", resetPassword],
])(
  "an app that is allowed while %s keeps no access",
  { meta: { proves: ["decision.apps.also-ends"] } },
  async (_, act) => {
    for (let round = 0; round < 5; round += 1) {
      await switchMcp(true);
      const person = await addPerson(world, "Members");
      const own = await sessionCallerOf(world, person);
      const request = {
        clientId: await registerApp(world),
        resource: `${world.service.appUrl}/api/mcp`,
        scopes: ["read"],
        name: null,
        redirectUris: [testRedirectUri],
        redirectUri: testRedirectUri,
        codeChallenge: testChallenge,
      };
      const [allowed] = await Promise.allSettled([own.run(operations.authorizeApp, request), act(person)]);
      if (allowed.status === "rejected") expect(allowed.reason).toBeInstanceOf(ServiceError);
      const where = { teamId: world.teamId, userId: person.id, revokedAt: null };
      expect(await test.database.client.oauthGrant.count({ where })).toBe(0);
    }
  },
);
