import { totpCode } from "@kb/auth/testing";
import { giveSecondFactor, takeSecondFactor } from "@kb/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestBrowser, testBrowser } from "./browser.ts";
import { authorizePathOf, decide, loggedInBrowser, sentTo, type TestClient, testClient } from "./consenting.ts";
import { openSetting, password, type Setting } from "./setting.ts";

const quarterMs = 15 * 60_000;

describe("consent in a session that is older than a proof counts", () => {
  let setting: Setting;
  let client: TestClient;
  let browser: TestBrowser;
  beforeAll(async () => {
    setting = await openSetting();
    const { service, teamId } = setting.world;
    await service.database.client.team.update({ where: { id: teamId }, data: { mcpEnabled: true } });
    client = await testClient(setting);
  });
  beforeEach(async () => {
    browser = await loggedInBrowser(setting, setting.world.people.member);
    setting.clock.advance(quarterMs);
  });
  afterAll(() => setting?.close());

  const shown = () => browser.get(authorizePathOf(client));
  const grants = () => {
    const { service, teamId, people } = setting.world;
    return service.database.client.oauthGrant.count({ where: { teamId, userId: people.member.id } });
  };

  it("asks for the password, keeps what was chosen after a wrong one, and allows the app with the right one", {
    meta: { proves: ["onboarding.proof.asked", "onboarding.proof.kinds"] },
  }, async () => {
    const before = await grants();
    const page = await shown();
    expect(page.text).toContain('name="proof" type="password"');
    const wrong = await decide(browser, page, "allow", { scope: "read", proof: "not my password" });
    expect([wrong.status, wrong.fields.scope, await grants()]).toEqual([401, "read", before]);
    expect(wrong.text).toContain("This is not your password.");
    const allowed = await decide(browser, wrong, "allow", { proof: password });
    expect([allowed.status, sentTo(allowed).at, await grants()]).toEqual([303, client.redirectUri, before + 1]);
    expect((await shown()).text).not.toContain('name="proof"');
  });

  it("asks for a code of the second factor where there is one, which the password does not replace", {
    meta: { proves: ["onboarding.proof.asked", "onboarding.proof.kinds"] },
  }, async () => {
    const { world, clock } = setting;
    const { secret } = await giveSecondFactor(world, world.people.member);
    const before = await grants();
    const page = await shown();
    expect(page.text).toContain('name="proof" type="text"');
    expect((await decide(browser, page, "allow", { proof: password })).status).toBe(401);
    const allowed = await decide(browser, page, "allow", { proof: totpCode(secret, clock.now()) });
    expect([allowed.status, await grants()]).toEqual([303, before + 1]);
    await takeSecondFactor(world, world.people.member);
  });

  it("asks for another log-in of somebody with neither, and comes back to the request", {
    meta: { proves: ["onboarding.proof.kinds"] },
  }, async () => {
    const { service, teamId, people } = setting.world;
    const where = { teamId_id: { teamId, id: people.member.id } };
    const { passwordHash } = await service.database.client.user.findUniqueOrThrow({ where });
    await service.database.client.user.update({ where, data: { passwordHash: null } });
    const sent = await shown();
    const to = new URL(sent.headers.get("Location") ?? "", "http://localhost:3000");
    expect([sent.status, to.pathname, to.searchParams.get("other")]).toEqual([303, "/login", "1"]);
    expect(to.searchParams.get("return_to")).toMatch(/^\/oauth\/authorize\?/);
    await service.database.client.user.update({ where, data: { passwordHash } });
  });

  it("asks on a page that was shown while the log-in still counted, and needs no proof to deny", {
    meta: { proves: ["onboarding.proof.asked"] },
  }, async () => {
    const fresh = testBrowser(setting.app);
    await fresh.submit(await fresh.get("/login"), "/login", { email: setting.world.people.member.email, password });
    const page = await fresh.get(authorizePathOf(client));
    expect(page.text).not.toContain('name="proof"');
    setting.clock.advance(quarterMs);
    const before = await grants();
    const again = await decide(fresh, page, "allow");
    expect([again.status, await grants()]).toEqual([200, before]);
    expect(again.text).toContain('name="proof"');
    expect(sentTo(await decide(fresh, again, "deny")).answer.error).toBe("access_denied");
  });

  it("refuses further passwords after ten wrong ones", {
    meta: { proves: ["onboarding.proof.asked"] },
  }, async () => {
    const page = await shown();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await decide(browser, page, "allow", { proof: "wrong" })).status).toBe(401);
    }
    const refused = await decide(browser, page, "allow", { proof: password });
    expect([refused.status, Number(refused.headers.get("Retry-After")) > 0]).toEqual([429, true]);
    expect(refused.text).toContain("Too many wrong passwords.");
  });
});
