import { createHash } from "node:crypto";
import { sealer } from "@kb/auth";
import { admin, mailResetLinks } from "@kb/core";
import { testSecret } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Page, type TestBrowser, testBrowser } from "./browser.ts";
import { type IdentityProvider, identityProvider } from "./identity-provider.ts";
import { openSetting, password, type Setting } from "./setting.ts";
import { actorOf, begin, redirectUri, settingsOf, signIn } from "./signing-in.ts";

/** The page without its style, which names kinds of fields. */
const bodyOf = ({ text }: Page): string => text.slice(text.indexOf("<body>"));

describe("an installation without passwords", () => {
  let provider: IdentityProvider;
  let setting: Setting;
  const mail = { sealer: sealer(testSecret, "mails") };
  beforeAll(async () => {
    provider = await identityProvider(redirectUri);
    setting = await openSetting({ singleSignOn: settingsOf(provider), passwordLogIn: false, mail });
  });
  afterAll(async () => {
    await setting.close();
    await provider.close();
  });
  const linkFor = async (email: string) =>
    new URL((await admin.createLogInLink(setting.world.service, email)).link).pathname;
  const invite = async (email: string, group = "Editors"): Promise<string> => {
    const { service, teamId } = setting.world;
    const { invitations } = await admin.inviteUsers(service, { emails: [email], group, team: teamId });
    return new URL(invitations[0]?.link ?? "").pathname;
  };
  const signInAs = async (email: string, path?: string) => {
    provider.person = { email, email_verified: true, name: "New Comer" };
    const visitor = testBrowser(setting.app);
    return { page: await signIn(provider, visitor, path), visitor };
  };

  it("its log-in page shows only the button of the provider, which keeps the target", {
    meta: { proves: ["onboarding.passwords-off.pages"] },
  }, async () => {
    const browser = testBrowser(setting.app);
    const page = await browser.get("/login?return_to=%2Fsearch&other=1");
    expect(page.text).toContain(
      'class="button" href="/login/sso?return_to=%2Fsearch&amp;other=1">Log in with Example ID',
    );
    for (const part of ["<form", "password", "/forgot"]) expect(bodyOf(page)).not.toContain(part);
    const arabic = await browser.get("/login", { "Accept-Language": "ar" });
    expect(arabic.text).toContain("سجّل الدخول عبر Example ID");
    expect((await signInAs(setting.world.people.member.email)).page.status).toBe(303);
  });

  it("refuses the right password, and a passkey as the only step", {
    meta: { proves: ["onboarding.passwords-off.pages"] },
  }, async () => {
    const browser = testBrowser(setting.app);
    const form = await browser.get(await linkFor(setting.world.people.member.email));
    const { email } = setting.world.people.admin;
    const answer = await browser.submit(form, "/login", { email, password });
    expect(answer.text).toContain("Passwords are switched off here");
    const byPasskey = await browser.submit(form, "/login/passkey", {});
    expect([byPasskey.status, byPasskey.text.includes("you log in with Example ID")]).toEqual([403, true]);
    expect([answer.status, browser.cookies.has("kb_session")]).toEqual([403, false]);
  });

  it("/forgot and /reset say how people log in; nothing is mailed, and no link sets a password", {
    meta: { proves: ["onboarding.passwords-off.pages"] },
  }, async () => {
    const { service, people, teamId } = setting.world;
    const link = await admin.createPasswordLink(service, people.editor.email);
    const path = new URL(link ?? "").pathname;
    const before = await passwordOf(people.editor.id);
    for (const address of ["/forgot", path, "/reset/unknown"]) {
      const page = await testBrowser(setting.app).get(address);
      expect([address, page.status, page.text.includes("you log in with Example ID")]).toEqual([address, 403, true]);
      expect(page.text).toContain('href="/login/sso">Log in with Example ID');
    }
    const browser = testBrowser(setting.app);
    const form = await browser.get(await linkFor(people.member.email));
    for (const address of ["/forgot", path]) {
      const fields = { email: people.editor.email, password: "a new password of a length" };
      expect((await browser.submit(form, address, fields)).text).toContain("you log in with Example ID");
    }
    await mailResetLinks({ ...service, mail }, 10);
    expect(await service.database.client.mail.count({ where: { teamId } })).toBe(0);
    expect(await passwordOf(people.editor.id)).toBe(before);
  });

  it("an invitation leads to the provider, and joins whoever has the invited address, once", {
    meta: { proves: ["onboarding.invitation.single-sign-on", "onboarding.passwords-off.pages"] },
  }, async () => {
    const path = await invite("newcomer@example.com");
    const page = await testBrowser(setting.app).get(path);
    expect(page.text).toContain('href="/login/sso">Join with Example ID');
    expect(page.text).toContain("must have the e-mail address above");
    expect(bodyOf(page)).not.toContain('type="password"');
    const stranger = await signInAs("stranger@example.com");
    expect(stranger.page.text).toContain("There is no account for stranger@example.com");
    provider.person = { email: "Newcomer@Example.com", email_verified: true, name: "New Comer" };
    const visits: { visitor: TestBrowser; callback: string }[] = [];
    for (let visit = 0; visit < 3; visit += 1) {
      const visitor = testBrowser(setting.app);
      visits.push({ visitor, callback: await provider.visit(await begin(visitor)) });
    }
    const joined = await Promise.all(
      visits.map(async ({ visitor, callback }) => ({ visitor, page: await visitor.get(callback) })),
    );
    for (const { page, visitor } of joined) {
      expect([page.status, (await actorOf(visitor, setting))?.email]).toEqual([303, "newcomer@example.com"]);
    }
    const users = await admin.listUsers(setting.world.service, { team: setting.world.teamId });
    const found = users.filter(({ email }) => email === "newcomer@example.com");
    expect(found.map(({ name, groups }) => [name, groups.map((group) => group.name)])).toEqual([
      ["New Comer", ["Editors"]],
    ]);
    expect(await passwordOf(found[0]?.id ?? "")).toBeNull();
    expect((await testBrowser(setting.app).get(path)).status).toBe(404);
    const where = { teamId: setting.world.teamId, action: "invitations.accept" };
    const [entry, another] = await setting.world.service.database.client.auditEntry.findMany({ where });
    expect([entry?.details, another]).toEqual([expect.objectContaining({ method: "single_sign_on" }), undefined]);
  });

  it("an invitation that has expired, or whose sender may no longer invite, lets nobody join", {
    meta: { proves: ["onboarding.invitation.single-sign-on"] },
  }, async () => {
    await invite("late@example.com");
    const { client } = setting.world.service.database;
    const where = { teamId: setting.world.teamId, email: "late@example.com" };
    await client.invitation.updateMany({ where, data: { expiresAt: setting.clock.now() } });
    expect((await signInAs("late@example.com")).page.status).toBe(403);
    await invite("orphan@example.com");
    const createdById = setting.world.people.viewer.id;
    await client.invitation.updateMany({ where: { ...where, email: "orphan@example.com" }, data: { createdById } });
    expect((await signInAs("orphan@example.com")).page.status).toBe(403);
  });

  it("says nothing of passwords while the provider is down", {
    meta: { proves: ["onboarding.passwords-off.pages"] },
  }, async () => {
    const singleSignOn = settingsOf(provider, { issuer: "http://127.0.0.1:9" });
    const away = await openSetting({ singleSignOn, passwordLogIn: false });
    const answer = await testBrowser(away.app).get("/login/sso");
    await away.close();
    expect([answer.status, answer.text.includes("cannot be reached")]).toEqual([503, true]);
    expect(bodyOf(answer)).not.toContain("password");
  });

  describe("a link of the operator", () => {
    it("logs its user in once of 50 uses at once, and counts as a proof", {
      meta: { proves: ["onboarding.log-in-link"] },
    }, async () => {
      const { people, teamId, service } = setting.world;
      const path = await linkFor(people.admin.email);
      const stored = await service.database.client.passwordReset.findMany({
        where: { teamId, userId: people.admin.id },
      });
      const token = path.split("/").at(-1) ?? "";
      expect(stored.map(({ hash }) => Buffer.from(hash).toString("hex"))).toEqual([
        createHash("sha256").update(`log_in:${token}`).digest("hex"),
      ]);
      const preview = await testBrowser(setting.app).get(path);
      expect(preview.text).toContain(people.admin.email);
      const visitors = Array.from({ length: 50 }, () => testBrowser(setting.app));
      const answers = await Promise.all(
        visitors.map(async (visitor) => visitor.submit(await visitor.get(path), path, {})),
      );
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      const [winner] = visitors.filter(({ cookies }) => cookies.has("kb_session"));
      if (winner === undefined) throw new Error("nobody was logged in");
      const actor = await actorOf(winner, setting);
      expect([actor?.userId, actor?.credential.session?.provenAt]).toEqual([people.admin.id, setting.clock.now()]);
      const actions = ["users.createLogInLink", "session.login"];
      const where = { teamId, targetId: people.admin.id, action: { in: actions } };
      const entries = await service.database.client.auditEntry.findMany({ where, orderBy: { id: "asc" } });
      expect(entries.map(({ action, details }) => [action, Reflect.get(Object(details), "method")])).toEqual([
        ["users.createLogInLink", undefined],
        ["session.login", "link"],
      ]);
      expect(setting.lines.join("")).not.toContain(token);
    });

    it("ends after 15 minutes, with a newer one, with another address, and for a suspended user", {
      meta: { proves: ["onboarding.log-in-link"] },
    }, async () => {
      const { people, service, teamId } = setting.world;
      const statusOf = async (path: string) => (await testBrowser(setting.app).get(path)).status;
      const { email, id } = people.viewer;
      const old = await linkFor(email);
      const newer = await linkFor(email);
      expect([await statusOf(old), await statusOf(newer)]).toEqual([404, 200]);
      expect(await statusOf(newer.replace("/login/link/", "/reset/"))).toBe(403);
      const setEmail = (next: string) =>
        service.database.client.user.update({ where: { teamId_id: { teamId, id } }, data: { email: next } });
      await setEmail("elsewhere@example.com");
      expect(await statusOf(newer)).toBe(404);
      await setEmail(email);
      setting.clock.advance(15 * 60_000);
      expect(await statusOf(newer)).toBe(404);
      const last = await linkFor(email);
      await admin.suspendUser(service, email);
      expect(await statusOf(last)).toBe(404);
      await expect(admin.createLogInLink(service, email)).rejects.toMatchObject({ code: "conflict" });
    });
  });

  async function passwordOf(id: string): Promise<string | null | undefined> {
    const where = { teamId_id: { teamId: setting.world.teamId, id } };
    return (await setting.world.service.database.client.user.findUnique({ where }))?.passwordHash;
  }
});
