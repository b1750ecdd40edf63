import { operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorizePathOf, decide, loggedInBrowser, sentTo, testClient } from "./consenting.ts";
import { openSetting, type Setting } from "./setting.ts";

describe("an app that the team has to approve first", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
    const { service, teamId } = setting.world;
    const data = { mcpEnabled: true, appApprovalRequired: true };
    await service.database.client.team.update({ where: { id: teamId }, data });
  });
  afterAll(() => setting?.close());

  it("is asked for on its page, connects nobody before, and connects after the approval", {
    meta: { proves: ["onboarding.app-approval"] },
  }, async () => {
    const { world } = setting;
    const app = await testClient(setting);
    const browser = await loggedInBrowser(setting, world.people.member);
    const page = await browser.get(authorizePathOf(app));
    expect([page.status, page.text.includes("An admin has to approve this app")]).toEqual([403, true]);
    expect(page.text).not.toContain('value="allow"');
    const asked = await decide(browser, page, "ask");
    expect(asked.status).toBe(303);
    const waiting = await browser.get(asked.headers.get("Location") ?? "");
    expect([waiting.status, waiting.text.includes("The app waits for approval.")]).toEqual([403, true]);
    // Whoever sends the form of the consent page all the same is not let in.
    const forged = await decide(browser, page, "allow", { scope: "read" });
    expect([forged.status, forged.headers.get("Location")]).toEqual([403, null]);
    expect(await world.service.database.client.oauthGrant.count({ where: { teamId: world.teamId } })).toBe(0);
    const admin = callerOf(world, await world.session(world.people.admin));
    const { data } = await admin.run(operations.listAppRequests, {});
    expect(data.map(({ clientId, user }) => [clientId, user.id])).toEqual([[app.id, world.people.member.id]]);
    await admin.run(operations.approveApp, { id: data[0]?.id ?? "" });
    const consent = await browser.get(authorizePathOf(app));
    const allowed = await decide(browser, consent, "allow", { scope: "read" });
    expect([sentTo(allowed).at, Object.keys(sentTo(allowed).answer)]).toEqual([
      app.redirectUri,
      expect.arrayContaining(["code"]),
    ]);
    const where = { teamId: world.teamId, action: { startsWith: "oauth.apps." } };
    const entries = await world.service.database.client.auditEntry.findMany({ where, orderBy: { id: "asc" } });
    expect(entries.map(({ action }) => action)).toEqual(["oauth.apps.ask", "oauth.apps.approve"]);
  });

  it("leads back to the app, which learns that nothing was allowed", {
    meta: { proves: ["onboarding.app-approval"] },
  }, async () => {
    const app = await testClient(setting);
    const browser = await loggedInBrowser(setting, setting.world.people.viewer);
    const { text } = await browser.get(authorizePathOf(app));
    expect(text).toMatch(/href="https:\/\/app\.example\.com\/[^"]*error=access_denied/);
  });

  it("is approved as it was: a document with a further redirect address is asked for again", {
    meta: { proves: ["onboarding.app-approval.shown"] },
  }, async () => {
    const { world } = setting;
    const id = "https://assistant.example.com/client.json";
    const app = await testClient(setting, { id, kind: "document" });
    const browser = await loggedInBrowser(setting, world.people.member);
    await decide(browser, await browser.get(authorizePathOf(app)), "ask");
    const admin = callerOf(world, await world.session(world.people.admin));
    const { data } = await admin.run(operations.listAppRequests, {});
    const request = data.find(({ clientId }) => clientId === id);
    await admin.run(operations.approveApp, { id: request?.id ?? "" });
    const consent = await browser.get(authorizePathOf(app));
    expect(consent.text).toContain('value="allow"');
    const redirectUris = [app.redirectUri, "https://evil.example.com/callback"];
    const metadata = { redirectUris, authentication: "none", clientUri: null };
    await world.service.database.client.oauthClient.update({ where: { id }, data: { metadata } });
    // Neither the page that was open nor a new one connects it.
    const late = await decide(browser, consent, "allow", { scope: "read" });
    expect([late.status, late.text.includes('value="ask"')]).toEqual([403, true]);
    const evil = await browser.get(authorizePathOf(app, { redirect_uri: "https://evil.example.com/callback" }));
    expect([evil.status, evil.text.includes('value="allow"')]).toEqual([403, false]);
  });

  it("is not asked for by a form of another page", { meta: { proves: ["onboarding.app-approval"] } }, async () => {
    const { world } = setting;
    const app = await testClient(setting);
    const browser = await loggedInBrowser(setting, world.people.member);
    const page = await browser.get(authorizePathOf(app));
    for (const forged of [{ csrf: "forged" }, { request: "forged" }]) {
      expect((await decide(browser, page, "ask", forged)).status).toBe(403);
    }
    const where = { teamId: world.teamId, clientId: app.id };
    expect(await world.service.database.client.appRequest.count({ where })).toBe(0);
  });

  it("needs nobody's approval for an admin", { meta: { proves: ["onboarding.app-approval"] } }, async () => {
    const app = await testClient(setting);
    const browser = await loggedInBrowser(setting, setting.world.people.admin);
    expect((await browser.get(authorizePathOf(app))).text).toContain('value="allow"');
  });
});
