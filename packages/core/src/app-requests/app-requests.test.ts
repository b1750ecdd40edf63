import {
  addPerson,
  allowApp,
  callerOf,
  connectApp,
  isConnected,
  outcomeOf,
  registerApp,
  testChallenge,
  testRedirectUri,
} from "@kb/core/testing";
import { newId } from "@kb/db";
import { testClock } from "@kb/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";
import type { ShownApp } from "./app-request.ts";

const clock = testClock();
const { world } = await testWorld({ clock });
const { people, service, teamId } = world;
const { client } = service.database;
const admin = callerOf(world, await world.session(people.admin));
const member = callerOf(world, await world.session(people.member));
const viewer = callerOf(world, await world.session(people.viewer));
const outsider = callerOf(world, await world.session(people.outsider));

const name = "Example Assistant";
const redirectUris = [testRedirectUri];

/** An app that is registered, as the consent page shows it. */
const newApp = async (): Promise<ShownApp> => ({ clientId: await registerApp(world), name, redirectUris });

const approvalFor = async (caller: typeof member, app: ShownApp) =>
  (await caller.run(operations.getAppApproval, app)).approval;
/** Has a member ask for the app. Returns the id of the request. */
async function askFor(app: ShownApp): Promise<string> {
  await member.run(operations.askForApp, app);
  const request = (await waiting()).find(({ clientId }) => clientId === app.clientId);
  return request?.id ?? "";
}
const waiting = async () =>
  (await admin.run(operations.listAppRequests, {})).data.filter(({ approvedAt }) => approvedAt === null);

describe("a team that approves apps first", () => {
  beforeEach(async () => {
    await client.appRequest.deleteMany({ where: { teamId } });
    await admin.run(operations.updateTeam, { appApprovalRequired: true });
  });

  it("lets members connect only apps that were approved, each app once for the whole team", {
    meta: { proves: ["onboarding.app-approval"] },
  }, async () => {
    const app = await newApp();
    expect(await approvalFor(member, app)).toBe("needed");
    expect(await member.run(operations.askForApp, app)).toEqual({ approval: "asked" });
    expect(await viewer.run(operations.askForApp, app)).toEqual({ approval: "asked" });
    const [request, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      ...app,
      user: { id: people.member.id },
    });
    await admin.run(operations.approveApp, { id: request?.id ?? "" });
    expect([await approvalFor(member, app), await approvalFor(viewer, app)]).toEqual(["approved", "approved"]);
    expect(await waiting()).toEqual([]);
    await admin.run(operations.refuseApp, { id: request?.id ?? "" });
    expect(await approvalFor(member, app)).toBe("needed");
  });

  it("needs no approval of those who manage connected apps, nor while the switch is off", {
    meta: { proves: ["onboarding.app-approval"] },
  }, async () => {
    const app = await newApp();
    expect(await approvalFor(admin, app)).toBe("approved");
    expect(await approvalFor(outsider, app)).toBe("approved");
    await admin.run(operations.updateTeam, { appApprovalRequired: false });
    expect(await approvalFor(member, app)).toBe("approved");
    expect(await member.run(operations.askForApp, app)).toEqual({ approval: "approved" });
    expect(await waiting()).toEqual([]);
  });

  it("is approved with the name and the addresses that were asked for: an app that changes them is a new one", {
    meta: { proves: ["onboarding.app-approval.shown"] },
  }, async () => {
    const app = await newApp();
    const id = await askFor(app);
    await admin.run(operations.approveApp, { id });
    expect(await approvalFor(member, { ...app, redirectUris: [] })).toBe("approved");
    const elsewhere = { ...app, redirectUris: [...redirectUris, "https://evil.example.com/"] };
    for (const changed of [elsewhere, { ...app, name: "Your bank" }, { ...app, name: null }]) {
      expect(await approvalFor(member, changed)).toBe("needed");
      const consent = { redirectUri: testRedirectUri, codeChallenge: testChallenge, resource: "x", scopes: ["read"] };
      expect(await outcomeOf(member.run(operations.authorizeApp, { ...changed, ...consent }))).toBe("forbidden");
    }
    const second = await askFor(elsewhere);
    expect(second).not.toBe(id);
    // The admin still sees the first request: it approves nothing that they have not seen.
    expect(await outcomeOf(admin.run(operations.approveApp, { id }))).toBe("not_found");
    expect([await approvalFor(member, app), await approvalFor(member, elsewhere)]).toEqual(["asked", "asked"]);
  });

  it("is approved for the one team that approved it", {
    meta: { proves: ["onboarding.app-approval.shown"] },
  }, async () => {
    const where = { id: people.outsider.actor.teamId };
    await client.team.update({ where, data: { appApprovalRequired: true } });
    const stranger = callerOf(world, await world.session(await addPerson({ ...world, teamId: where.id }, "Members")));
    const app = await newApp();
    await admin.run(operations.approveApp, { id: await askFor(app) });
    expect([await approvalFor(member, app), await approvalFor(stranger, app)]).toEqual(["approved", "needed"]);
    await client.team.update({ where, data: { appApprovalRequired: false } });
  });

  it("ends every connection of the team at once when its approval is withdrawn, and no other", {
    meta: { proves: ["onboarding.app-approval.withdrawn"] },
  }, async () => {
    await client.team.updateMany({ data: { mcpEnabled: true } });
    const app = await newApp();
    const id = await askFor(app);
    await admin.run(operations.approveApp, { id });
    const { clientId } = app;
    const connected = await Promise.all(
      [people.member, people.admin].map((each) => connectApp(world, each, { clientId })),
    );
    const others = [await connectApp(world, people.outsider, { clientId }), await connectApp(world, people.admin)];
    const states = (apps: typeof others) => Promise.all(apps.map((each) => isConnected(world, each)));
    expect(await states([...connected, ...others])).toEqual([true, true, true, true]);
    await admin.run(operations.refuseApp, { id });
    expect([await states(connected), await states(others)]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(await outcomeOf(connectApp(world, people.member, { clientId }))).toBe("forbidden");
    const entries = await client.auditEntry.findMany({ where: { teamId, action: "oauth.revoke" } });
    expect(entries.map(({ details }) => details)).toEqual(
      expect.arrayContaining([{ reason: "app_refused", userId: people.member.id, clientId }]),
    );
  });

  it("connects nobody who allows it while its approval is withdrawn", {
    meta: { proves: ["onboarding.app-approval.withdrawn"] },
  }, async () => {
    await client.team.updateMany({ data: { mcpEnabled: true } });
    for (let round = 0; round < 5; round += 1) {
      const app = await newApp();
      const id = await askFor(app);
      await admin.run(operations.approveApp, { id });
      const consent = { clientId: app.clientId };
      await Promise.allSettled([
        ...Array.from({ length: 5 }, () => allowApp(world, people.member, consent)),
        admin.run(operations.refuseApp, { id }),
      ]);
      const where = { teamId, clientId: app.clientId, revokedAt: null };
      expect(await client.oauthGrant.count({ where })).toBe(0);
    }
  });

  it("is not forgotten when strangers register apps that nobody uses", {
    meta: { proves: ["onboarding.app-approval"] },
  }, async () => {
    const app = await newApp();
    await askFor(app);
    // What a registration does with surplus clients.
    await client.oauthClient.deleteMany({ where: { lastUsedAt: null } });
    expect(await approvalFor(member, app)).toBe("asked");
  });

  it("is switched by those who manage connected apps, with a fresh proof", {
    meta: { proves: ["onboarding.app-approval"] },
  }, async () => {
    expect(await outcomeOf(member.run(operations.updateTeam, { appApprovalRequired: false }))).toBe("forbidden");
    const old = callerOf(world, await world.session(people.admin), { isFresh: false });
    clock.advance(16 * 60_000);
    await expect(old.run(operations.updateTeam, { appApprovalRequired: false })).rejects.toMatchObject({
      code: "proof_required",
    });
    expect((await admin.run(operations.getTeam)).appApprovalRequired).toBe(true);
  });

  it("keeps one request of 20 at once, and at most 20 that a member has open", {
    meta: { proves: ["onboarding.app-approval"] },
  }, async () => {
    const somebody = callerOf(world, await world.session(await addPerson(world, "Members")));
    const app = await newApp();
    await Promise.all(Array.from({ length: 20 }, () => somebody.run(operations.askForApp, app)));
    expect(await waiting()).toHaveLength(1);
    for (let count = 1; count < 20; count += 1) await somebody.run(operations.askForApp, await newApp());
    const further = somebody.run(operations.askForApp, await newApp());
    await expect(further).rejects.toMatchObject({ code: "conflict" });
  });

  it("knows no app that is not registered, and no request of another team", {
    meta: { proves: ["onboarding.app-approval"] },
  }, async () => {
    expect(await outcomeOf(member.run(operations.askForApp, { clientId: newId(), name, redirectUris }))).toBe(
      "not_found",
    );
    await member.run(operations.askForApp, await newApp());
    const [request] = await waiting();
    const id = request?.id ?? "";
    expect((await outsider.run(operations.listAppRequests, {})).data).toEqual([]);
    for (const decide of [operations.approveApp, operations.refuseApp]) {
      expect(await outcomeOf(outsider.run(decide, { id }))).toBe("not_found");
      expect(await outcomeOf(member.run(decide, { id }))).toBe("forbidden");
    }
    expect(await waiting()).toHaveLength(1);
  });
});
