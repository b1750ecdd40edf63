import { authenticateAccessToken, authenticateSession } from "@kb/auth";
import { admin as commandLine, endGrant, invoke, operations, ServiceError } from "@kb/core";
import {
  allowApp,
  type ConnectedApp,
  connectApp,
  type One,
  type Page,
  type Person,
  registerApp,
  testChallenge,
  testRedirectUri,
} from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, eventsOf, inApp, newPerson } from "./in-app.ts";
import { openSetting, type Setting } from "./setting.ts";

type Shown = {
  id: string;
  name: string | null;
  clientId: string;
  redirectUris: string[];
  scope: string;
  user: { id: string; name: string };
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
};

describe("connected apps", () => {
  let setting: Setting;
  let admin: AppCall;
  let editor: AppCall;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    editor = await inApp(setting, setting.world.people.editor);
    await admin("team.update", { mcpEnabled: true });
  });
  afterAll(() => setting?.close());

  const listed = async (by: AppCall, input: object = {}): Promise<readonly Shown[]> =>
    (await by<Page<Shown>>("oauth.apps.list", { limit: 100, ...input })).body.data;
  /** Whether the token still opens anything. */
  const works = async ({ accessToken }: ConnectedApp): Promise<boolean> => {
    const { service } = setting.world;
    const good = { keys: service.oauth.keys, resource: `${service.appUrl}/api/mcp`, now: service.clock.now() };
    return (await authenticateAccessToken(service.database, accessToken, good)) !== null;
  };
  const connect = (person: Person = setting.world.people.editor, consent = {}) =>
    connectApp(setting.world, person, consent);
  const audited = async (grantId: string) => {
    const { client } = setting.database;
    const where = { teamId: setting.world.teamId, targetId: grantId };
    return client.auditEntry.findMany({ where, orderBy: { id: "asc" } });
  };

  it("are listed with their scope, when they were used last, and where they go back to [oauth.apps] [decision.apps.list]", async () => {
    const app = await connect(setting.world.people.editor, { scopes: ["read"] });
    expect(await works(app)).toBe(true);
    const [first] = await listed(editor);
    const { editor: owner } = setting.world.people;
    expect(first).toEqual({
      ...{ id: app.grantId, name: "Example Assistant", clientId: app.clientId, scope: "read" },
      redirectUris: ["https://app.example.com/callback"],
      user: { id: owner.id, name: owner.name },
      ...{
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        lastUsedAt: expect.any(String),
        revokedAt: null,
      },
    });
    await connect(owner, { scopes: ["read", "write"] });
    expect((await listed(editor)).map(({ scope }) => scope)).toEqual(["read write", "read"]);
  });

  it("one's own; the whole team's with developer.mcp, and of one person where one is named [oauth.apps] [decision.apps.list]", async () => {
    const person = await newPerson(setting, "Members");
    const member = await inApp(setting, person);
    const app = await connect(person);
    expect((await listed(member)).map(({ id }) => id)).toEqual([app.grantId]);
    expect((await listed(editor)).map(({ user }) => user.id)).not.toContain(person.id);
    expect(await listed(editor, { userId: person.id })).toEqual([]);
    const all = new Set((await listed(admin)).map(({ user }) => user.id));
    expect([all.has(person.id), all.has(setting.world.people.editor.id)]).toEqual([true, true]);
    expect((await listed(admin, { userId: person.id })).map(({ id }) => id)).toEqual([app.grantId]);
    expect(await listed(await inApp(setting, setting.world.people.outsider))).toEqual([]);
    const { status } = await admin("oauth.apps.list", { all: true });
    expect(status).toBe(400);
  });

  it("what was allowed and never fetched is gone from the list as soon as its code has run out", async () => {
    const person = await newPerson(setting, "Viewers");
    const { grantId } = await allowApp(setting.world, person);
    const viewer = await inApp(setting, person);
    expect((await listed(viewer)).map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([[grantId, null]]);
    const { client } = setting.database;
    const where = { teamId_id: { teamId: setting.world.teamId, id: grantId } };
    await client.oauthGrant.update({ where, data: { expiresAt: new Date() } });
    expect(await listed(viewer)).toEqual([]);
  });

  it("one is revoked by who allowed it, at once, and the others stay [oauth.apps] [decision.apps.revoke]", async () => {
    const [app, other] = [await connect(), await connect()];
    const events = await eventsOf(setting, async () => {
      const { status, body } = await editor<One<Shown>>("oauth.apps.revoke", { id: app.grantId });
      expect([status, typeof body.data.revokedAt]).toEqual([200, "string"]);
      expect([await works(app), await works(other)]).toEqual([false, true]);
      // A repeat keeps the first time, and tells nobody again.
      expect((await editor<One<Shown>>("oauth.apps.revoke", { id: app.grantId })).body).toEqual(body);
    });
    const { editor: owner } = setting.world.people;
    const data = { id: app.grantId, userId: owner.id, clientId: app.clientId, name: "Example Assistant" };
    expect(events).toEqual([{ type: "app.revoked", data: { ...data, reason: "revoked" } }]);
    expect((await listed(editor)).map(({ id }) => id)).not.toContain(app.grantId);
  });

  it("another's are revoked with developer.mcp, and are nothing to all others [decision.apps.revoke]", async () => {
    const person = await newPerson(setting, "Members");
    const app = await connect(person);
    for (const by of [editor, await inApp(setting, setting.world.people.outsider)]) {
      expect(await by("oauth.apps.revoke", { id: app.grantId })).toMatchObject({ status: 404 });
    }
    expect(await works(app)).toBe(true);
    expect((await admin("oauth.apps.revoke", { id: app.grantId })).status).toBe(200);
    expect(await works(app)).toBe(false);
  });

  it("what was allowed is told, and who did it [decision.apps.told]", async () => {
    const { editor: owner } = setting.world.people;
    const clientId = await registerApp(setting.world, "Told");
    let id = "";
    const events = await eventsOf(setting, async () => {
      id = (await connect(owner, { clientId, scopes: ["read"] })).grantId;
    });
    const data = { id, userId: owner.id, clientId, name: "Told", scope: "read" };
    expect(events).toEqual([{ type: "app.authorized", data }]);
    const [entry] = await audited(id);
    expect(entry).toMatchObject({
      action: "oauth.authorize",
      userId: owner.id,
      credentialKind: "session",
      targetId: id,
    });
    expect(entry?.details).toMatchObject({ clientId, scopes: ["read"] });
  });

  describe("end too, with an event and an entry in the audit log,", () => {
    type End = readonly [reason: string, act: (person: Person, own: AppCall, app: ConnectedApp) => Promise<unknown>];
    const password = "a password of a length";
    const ends: readonly End[] = [
      ["revoked", (_person, own, { grantId: id }) => own("oauth.apps.revoke", { id })],
      ["user_suspended", (person) => admin("users.suspend", { id: person.id })],
      ["password_changed", (person) => admin("users.resetPassword", { id: person.id })],
      [
        "password_changed",
        async (person, own) => {
          await commandLine.setPassword(setting.world.service, person.email, password);
          return own("auth.changePassword", { currentPassword: password, newPassword: "another password of a length" });
        },
      ],
      ["mcp_disabled", () => admin("team.update", { mcpEnabled: false })],
      ...(["token_revoked", "code_reused", "refresh_token_reused"] as const).map(
        (reason): End => [
          reason,
          (_person, _own, { grantId }) =>
            setting.database.transaction((tx) =>
              endGrant(tx, { teamId: setting.world.teamId, grantId, reason, now: new Date(), address: "192.0.2.7" }),
            ),
        ],
      ),
    ];

    it.each(ends.map(([reason, act], index) => ({ reason, act, index })))(
      "$index: $reason [decision.apps.also-ends] [decision.apps.told]",
      async ({ reason, act }) => {
        await admin("team.update", { mcpEnabled: true });
        const person = await newPerson(setting, "Members");
        const own = await inApp(setting, person);
        const app = await connect(person);
        const stays = await connect(setting.world.people.viewer);
        const events = await eventsOf(setting, () => act(person, own, app));
        expect(await works(app)).toBe(false);
        expect(await works(stays)).toBe(reason !== "mcp_disabled");
        const revoked = events.filter(({ type, data }) => type === "app.revoked" && data.userId === person.id);
        expect(revoked.map(({ data }) => [data.id, data.reason])).toEqual([[app.grantId, reason]]);
        const entries = (await audited(app.grantId)).filter(({ action }) => action === "oauth.revoke");
        expect(entries).toEqual([
          expect.objectContaining({
            outcome: "success",
            targetType: "oauth_grant",
            details: { reason, userId: person.id, clientId: app.clientId },
          }),
        ]);
      },
    );

    it("and of a token that its app gave back, the app is who did it", async () => {
      const app = await connect();
      const ended = {
        teamId: setting.world.teamId,
        grantId: app.grantId,
        reason: "token_revoked",
        now: new Date(),
      } as const;
      await setting.database.transaction((tx) => endGrant(tx, ended));
      const event = await setting.database.client.event.findFirst({
        where: { teamId: setting.world.teamId, type: "app.revoked" },
        orderBy: { sequence: "desc" },
      });
      expect(event?.actor).toEqual({ type: "app", id: app.grantId, name: "Example Assistant" });
    });
  });

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ["MCP is switched off", () => admin("team.update", { mcpEnabled: false })],
    ["the user is suspended", (person) => admin("users.suspend", { id: person.id })],
    ["the user gets a new password", (person) => admin("users.resetPassword", { id: person.id })],
  ])("of an app that is allowed while %s, nothing stays allowed [decision.apps.also-ends]", async (_, act) => {
    const { service } = setting.world;
    for (let round = 0; round < 5; round += 1) {
      await admin("team.update", { mcpEnabled: true });
      const person = await newPerson(setting, "Members");
      const { token } = await setting.world.session(person);
      const actor = await authenticateSession(service.database, token, service.clock.now());
      if (actor === null) throw new Error("nobody is logged in");
      const binding = { redirectUri: testRedirectUri, codeChallenge: testChallenge };
      const asked = {
        clientId: await registerApp(setting.world),
        resource: `${service.appUrl}/api/mcp`,
        scopes: ["read"],
      };
      const [allowed] = await Promise.allSettled([
        invoke(service, operations.authorizeApp, actor, { ...asked, ...binding }),
        act(person),
      ]);
      if (allowed.status === "rejected") expect(allowed.reason).toBeInstanceOf(ServiceError);
      const where = { teamId: setting.world.teamId, userId: person.id, revokedAt: null };
      expect(await setting.database.client.oauthGrant.count({ where })).toBe(0);
    }
    await admin("team.update", { mcpEnabled: true });
  });

  it("of twenty who revoke one at once each gets the same answer, and it is told once", async () => {
    const app = await connect();
    const events = await eventsOf(setting, async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? admin : editor)<One<Shown>>("oauth.apps.revoke", { id: app.grantId }),
        ),
      );
      expect(new Set(replies.map(({ status, body }) => `${status} ${body.data.revokedAt}`)).size).toBe(1);
    });
    expect(events.map(({ type }) => type)).toEqual(["app.revoked"]);
    const actions = (await audited(app.grantId)).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(["oauth.apps.revoke", "oauth.authorize", "oauth.revoke"]);
  });
});
