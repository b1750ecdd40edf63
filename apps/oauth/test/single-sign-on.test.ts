import { totpCode } from "@kb/auth/testing";
import { admin } from "@kb/core";
import { giveSecondFactor, takeSecondFactor } from "@kb/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Page, type TestBrowser, testBrowser } from "./browser.ts";
import { type IdentityProvider, identityProvider } from "./identity-provider.ts";
import { openSetting, type Setting } from "./setting.ts";
import { actorOf as actorIn, begin, keepOneTeam, redirectUri, settingsOf, signIn as signInAt } from "./signing-in.ts";

describe("single sign-on", () => {
  let provider: IdentityProvider;
  let setting: Setting;
  let browser: TestBrowser;
  beforeAll(async () => {
    provider = await identityProvider(redirectUri);
    setting = await openSetting({ singleSignOn: settingsOf(provider) });
  });
  beforeEach(() => {
    browser = testBrowser(setting.app);
    provider.person = { email: setting.world.people.member.email, email_verified: true, name: "Ada" };
  });
  afterAll(async () => {
    await setting.close();
    await provider.close();
  });

  const signIn = (visitor: TestBrowser, path?: string): Promise<Page> => signInAt(provider, visitor, path);
  const actorOf = (visitor: TestBrowser, where = setting) => actorIn(visitor, where);

  it("is a button on the login page that keeps the target", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const page = await browser.get("/login?return_to=%2Fsearch");
    expect(page.text).toContain('href="/login/sso?return_to=%2Fsearch">Log in with Example ID');
  });

  it("asks a user with a second factor for a code, then logs them in", {
    meta: { proves: ["onboarding.second-factor.log-in"] },
  }, async () => {
    const { world, clock } = setting;
    const { secret } = await giveSecondFactor(world, world.people.member);
    const page = await signIn(browser, "/login/sso?return_to=%2Fsearch");
    expect([page.status, browser.cookies.has("kb_session")]).toEqual([200, false]);
    expect(page.text).toContain("One step is left");
    expect(page.text).not.toMatch(/your password/i);
    const answer = await browser.submit(page, "/login/code", { code: totpCode(secret, clock.now()) });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/search"]);
    expect(await actorOf(browser)).toMatchObject({ email: world.people.member.email });
    await takeSecondFactor(world, world.people.member);
  });

  it("sends PKCE, a state and a nonce to the provider, new ones each time", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const one = new URL(await begin(browser));
    const two = new URL(await begin(testBrowser(setting.app)));
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(one?.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one?.searchParams.get(name)).not.toBe(two?.searchParams.get(name));
    }
    expect(one?.searchParams.get("code_challenge_method")).toBe("S256");
    expect(one?.searchParams.get("redirect_uri")).toBe(redirectUri);
  });

  it("counts as no proof by itself, and as one after the provider asked the user to log in again", {
    meta: { proves: ["onboarding.proof.single-sign-on"] },
  }, async () => {
    const isProven = async (): Promise<boolean> => {
      const session = (await actorOf(browser))?.credential.session;
      return session?.provenAt.getTime() === setting.clock.now().getTime();
    };
    expect(await signIn(browser)).toMatchObject({ status: 303 });
    expect(await isProven()).toBe(false);
    const page = await browser.get("/login?return_to=%2Fsearch&other=1");
    expect(page.text).toContain('href="/login/sso?return_to=%2Fsearch&amp;other=1">Log in with Example ID');
    const path = "/login/sso?return_to=%2Fsearch&other=1";
    expect((await signIn(browser, path)).headers.get("Location")).toBe("/search");
    expect([provider.asked.at(-1)?.get("prompt"), provider.asked.at(-1)?.get("max_age")]).toEqual(["login", "300"]);
    expect(await isProven()).toBe(true);
  });

  it("has the provider ask again before somebody sets up the second factor that their team requires", {
    meta: { proves: ["onboarding.proof.single-sign-on", "onboarding.second-factor.required"] },
  }, async () => {
    const { service, teamId } = setting.world;
    const require = (secondFactorRequired: boolean) =>
      service.database.client.team.update({ where: { id: teamId }, data: { secondFactorRequired } });
    await require(true);
    const again = (await signIn(browser, "/login/sso?return_to=%2Fsearch")).headers.get("Location");
    expect(again).toBe("/login/sso?return_to=%2Fsearch&other=1");
    const page = await signIn(browser, again ?? "");
    expect([page.status, page.fields.set_up === "", browser.cookies.has("kb_session")]).toEqual([200, false, false]);
    expect(page.text).toContain("Set up your second step");
    await require(false);
  });

  it("refuses a log-in that should be a new one, and at the provider was an hour old", {
    meta: { proves: ["onboarding.proof.single-sign-on"] },
  }, async () => {
    provider.loggedInSecondsAgo = 3_600;
    const altered = new URL(await begin(browser, "/login/sso?other=1"));
    altered.searchParams.delete("prompt");
    altered.searchParams.set("max_age", "86400");
    const answer = await browser.get(await provider.visit(altered.href));
    provider.loggedInSecondsAgo = 0;
    expect([answer.status, browser.cookies.has("kb_session")]).toEqual([403, false]);
    expect(answer.text).toContain("Example ID did not ask you to log in again");
  });

  it("refuses a log-in that should be a new one if the provider does not say when it was", {
    meta: { proves: ["onboarding.proof.single-sign-on"] },
  }, async () => {
    const stripped = new URL(await begin(browser, "/login/sso?other=1"));
    stripped.searchParams.delete("prompt");
    stripped.searchParams.delete("max_age");
    const answer = await browser.get(await provider.visit(stripped.href));
    expect([answer.status, browser.cookies.has("kb_session")]).toEqual([403, false]);
    expect(answer.text).toContain("Example ID did not say when you logged in");
  });

  it("logs in the user whose e-mail address the provider has verified", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const answer = await signIn(browser, "/login/sso?return_to=%2Fdocuments%2F1");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/documents/1"]);
    expect(await actorOf(browser)).toMatchObject({ userId: setting.world.people.member.id });
    const [entry] = await setting.world.service.database.client.auditEntry.findMany({
      where: { teamId: setting.world.teamId, action: "session.login" },
    });
    expect(entry).toMatchObject({ outcome: "success", details: { method: "single_sign_on" } });
  });

  it("keeps the longest request of an app, and nothing of it for the next login", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const long = `/oauth/authorize?state=${"s".repeat(5_900)}`;
    const path = `/login/sso?${new URLSearchParams({ return_to: long })}`;
    const left = await provider.visit(await begin(browser, path));
    expect((await signIn(browser)).headers.get("Location")).toBe("/");
    expect((await browser.get(left)).status).toBe(403);
    expect((await signIn(browser, path)).headers.get("Location")).toBe(long);
    expect([...browser.cookies.keys()].filter((name) => name.includes("sso"))).toEqual([]);
  });

  it.each([
    ["//evil.example", "/"],
    ["https:evil.example", "/"],
  ])(
    "return_to %j leads to the start page",
    { meta: { proves: ["decision.access.return-to"] } },
    async (hostile, home) => {
      const answer = await signIn(browser, `/login/sso?${new URLSearchParams({ return_to: hostile })}`);
      expect(answer.headers.get("Location")).toBe(home);
    },
  );

  it("rejects an unverified or missing e-mail address", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const { email } = setting.world.people.admin;
    for (const person of [{ email, email_verified: false }, { email }, {}]) {
      provider.person = person;
      const answer = await signIn(browser);
      expect([answer.status, answer.text.includes("has not verified")]).toEqual([403, true]);
    }
    expect(browser.cookies.has("kb_session")).toBe(false);
  });

  it("shows an error to a user who was not invited, and to a suspended one", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const { service, people } = { ...setting.world };
    provider.person = { email: "stranger@example.org", email_verified: true };
    expect((await signIn(browser)).text).toContain("There is no account for stranger@example.org.");
    await admin.suspendUser(service, people.viewer.email);
    provider.person = { email: people.viewer.email, email_verified: true };
    expect((await signIn(browser)).status).toBe(403);
    expect(browser.cookies.has("kb_session")).toBe(false);
  });

  it("rejects a response for another browser's login, and a repeated response", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const callback = await provider.visit(await begin(browser));
    const other = testBrowser(setting.app);
    expect((await other.get(callback)).status).toBe(403);
    await begin(other);
    expect((await other.get(callback)).status).toBe(403);
    expect(other.cookies.has("kb_session")).toBe(false);
    expect((await browser.get(callback)).status).toBe(303);
    expect((await browser.get(callback)).status).toBe(403);
  });

  it("rejects a response that was changed or is too late", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const changed = new URL(await provider.visit(await begin(browser)));
    changed.searchParams.set("code", "another");
    expect((await browser.get(changed.href)).status).toBe(403);
    const late = await provider.visit(await begin(browser));
    setting.clock.advance(10 * 60_000);
    expect((await browser.get(late)).text).toContain("took too long");
    for (const query of ["", "?error=access_denied&state=x", "?code=x&state=y"]) {
      await begin(browser);
      expect((await browser.get(`/login/callback${query}`)).status).toBe(403);
    }
    expect(browser.cookies.has("kb_session")).toBe(false);
  });

  it("shows that the user refused at the provider", async () => {
    const state = new URL(await begin(browser)).searchParams.get("state") ?? "";
    const refused = new URLSearchParams({ error: "access_denied", state, iss: provider.issuer });
    expect((await browser.get(`/login/callback?${refused}`)).text).toContain("Example ID did not let you in");
  });

  it("adds an unknown user to the group of OIDC_CREATE_USERS, once", {
    meta: { proves: ["decision.access.oidc"] },
  }, async () => {
    const joining = await openSetting({ singleSignOn: settingsOf(provider, { createUsersIn: "Viewers" }) });
    try {
      await keepOneTeam(joining);
      provider.person = { email: "Newcomer@Example.org", email_verified: true, name: "New Comer" };
      for (let round = 0; round < 2; round += 1) {
        const visitor = testBrowser(joining.app);
        expect((await signIn(visitor)).status).toBe(303);
        const actor = await actorOf(visitor, joining);
        expect(actor).toMatchObject({ email: "newcomer@example.org", userName: "New Comer" });
        expect(actor?.capabilities.has("document.create")).toBe(false);
      }
    } finally {
      await joining.close();
    }
  });

  it("adds unknown users of OIDC_SIGN_UP_DOMAINS only, and logs in known ones of every domain", async () => {
    const domains = { createUsersIn: "Viewers", signUpDomains: ["example.com", "xn--bcher-kva.example"] };
    const joining = await openSetting({ singleSignOn: settingsOf(provider, domains) });
    try {
      await keepOneTeam(joining);
      const statusOf = async (email: string): Promise<number> => {
        provider.person = { email, email_verified: true, name: "New" };
        return (await signIn(testBrowser(joining.app))).status;
      };
      const refused = ["a@evil-example.com", "a@example.com.evil.test", "a@sub.example.com", "a@example.test"];
      for (const email of refused) expect([email, await statusOf(email)]).toEqual([email, 403]);
      const malformed = [
        '"a@example.com"@evil.test',
        "a@evil.test,b@example.com",
        "a@example.com?x",
        "example.com",
        "a@",
      ];
      for (const email of malformed) expect([400, 403]).toContain(await statusOf(email));
      for (const email of ["a@Example.COM", "a@xn--bcher-kva.example"]) {
        expect([email, await statusOf(email)]).toEqual([email, 303]);
      }
      const known = await admin.createUser(joining.world.service, {
        email: "known@elsewhere.test",
        name: "Known",
        group: "Viewers",
      });
      expect([known !== undefined, await statusOf("known@elsewhere.test")]).toEqual([true, 303]);
    } finally {
      await joining.close();
    }
  });

  it("adds no user if the group of OIDC_CREATE_USERS does not exist, and logs the reason", async () => {
    const joining = await openSetting({ singleSignOn: settingsOf(provider, { createUsersIn: "No such group" }) });
    try {
      provider.person = { email: "newcomer@example.org", email_verified: true };
      const answer = await signIn(testBrowser(joining.app));
      expect([answer.status, answer.text.includes("could not be created")]).toEqual([403, true]);
      expect(joining.lines.join("")).toContain("see OIDC_CREATE_USERS");
    } finally {
      await joining.close();
    }
  });

  it("reports an unavailable provider, keeps password logins working, and tries the provider again", async () => {
    const away = await openSetting({ singleSignOn: settingsOf(provider, { issuer: "http://127.0.0.1:9" }) });
    try {
      const answer = await testBrowser(away.app).get("/login/sso");
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "60"]);
      expect(answer.text).toContain("Example ID cannot be reached");
      expect((await testBrowser(away.app).get("/login")).status).toBe(200);
    } finally {
      await away.close();
    }
  });

  it("keeps the provider's data out of the log and the error page", async () => {
    const all = setting.lines.join("");
    expect(all).not.toContain(provider.clientSecret);
    expect(all).not.toMatch(/code=|code_verifier|id_token|eyJ/);
  });

  it("is absent if no provider is configured", async () => {
    const plain = await openSetting();
    try {
      expect((await testBrowser(plain.app).get("/login")).text).not.toContain("/login/sso");
      for (const path of ["/login/sso", "/login/callback?code=x&state=y"]) {
        expect((await testBrowser(plain.app).get(path)).status).toBe(404);
      }
    } finally {
      await plain.close();
    }
  });
});
