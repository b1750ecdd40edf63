import { authenticateSession } from "@kb/auth";
import { flushAudit } from "@kb/core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestBrowser, testBrowser } from "./browser.ts";
import { openSetting, password, type Setting } from "./setting.ts";

describe("logging in at /login", () => {
  let setting: Setting;
  let browser: TestBrowser;
  beforeAll(async () => {
    setting = await openSetting({ trustedProxies: ["10.0.0.1"] });
  });
  beforeEach(() => {
    setting.clock.advance(15 * 60_000);
    browser = testBrowser(setting.app);
  });
  afterAll(() => setting.close());

  const actorOf = (visitor: TestBrowser) =>
    authenticateSession(setting.world.service.database, visitor.cookies.get("kb_session") ?? "", setting.clock.now());
  /** Fills in the log-in page and sends it. */
  const logIn = async (visitor: TestBrowser, email: string, given: string, path = "/login", headers = {}) =>
    visitor.submit(await visitor.get(path), "/login", { email, password: given }, headers);

  it("the page is a form without script that cannot be framed and is not cached", {
    meta: { proves: ["decision.access.log-in-forms"] },
  }, async () => {
    const page = await browser.get("/login?return_to=%2Fdocuments%2Fx%3Fa%3D%26b");
    expect(page.status).toBe(200);
    expect(Object.keys(page.fields).sort()).toEqual(["csrf", "email", "password", "return_to"]);
    expect(page.text).toContain('value="/documents/x?a=&amp;b"');
    expect(page.text).not.toContain("<script");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(page.headers.get("Content-Security-Policy")).not.toContain("unsafe");
    expect(page.headers.get("X-Frame-Options")).toBe("DENY");
  });

  it("the right password sets a cookie and redirects with 303", {
    meta: { proves: ["decision.access.log-in-forms", "decision.access.sessions"] },
  }, async () => {
    const { member } = setting.world.people;
    const answer = await logIn(browser, member.email, password, "/login?return_to=%2Fdocuments%2F1");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/documents/1"]);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("kb_session="));
    expect(cookie).toMatch(/^kb_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await actorOf(browser)).toMatchObject({ userId: member.id, credential: { kind: "session" } });
  });

  it("on https the cookie is Secure and bound to the host", {
    meta: { proves: ["decision.access.sessions"] },
  }, async () => {
    const secure = await openSetting({ appUrl: "https://wiki.example.com" });
    try {
      const visitor = testBrowser(secure.app, { origin: "https://wiki.example.com" });
      const answer = await logIn(visitor, secure.world.people.member.email, password);
      const [cookie] = answer.headers.getSetCookie();
      expect(cookie).toMatch(/^__Host-kb_session=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      expect(visitor.cookies.has("__Host-kb_guest")).toBe(true);
      expect(answer.headers.get("Strict-Transport-Security")).toContain("max-age");
    } finally {
      await secure.close();
    }
  });

  it.each(["//evil.example", "/\\evil.example", "https:evil.example", "/\t/evil.example"])(
    "return_to %j leads to the start page, from the URL and from the form",
    { meta: { proves: ["decision.access.return-to"] } },
    async (hostile) => {
      const { member } = setting.world.people;
      const page = await browser.get(`/login?${new URLSearchParams({ return_to: hostile })}`);
      expect(page.fields.return_to).toBe("/");
      const sent = { email: member.email, password, return_to: hostile };
      expect((await browser.submit(page, "/login", sent)).headers.get("Location")).toBe("/");
    },
  );

  it("a wrong password shows an error, and the form keeps the e-mail address", async () => {
    const email = `"><b>${setting.world.people.member.email}`;
    const answer = await logIn(browser, email, "wrong");
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("The e-mail address or password is incorrect.");
    expect(answer.text).toContain(`value="&quot;&gt;&lt;b&gt;${setting.world.people.member.email}"`);
    expect(answer.text).toContain('aria-invalid="true"');
    expect(answer.text).not.toContain('value="wrong"');
    expect(browser.cookies.has("kb_session")).toBe(false);
  });

  it("the response is the same for an existing and an unknown account", async () => {
    const shapeOf = async (email: string) => {
      const { status, text, headers } = await logIn(
        testBrowser(setting.app, { address: "203.0.113.77" }),
        email,
        "wrong",
      );
      const plain = text.replaceAll(email, "…").replaceAll(/name="csrf" value="[^"]+"/g, "csrf");
      headers.delete("X-Request-Id");
      return { status, plain, headers: [...headers].filter(([name]) => name !== "set-cookie") };
    };
    expect(await shapeOf(setting.world.people.viewer.email)).toEqual(await shapeOf("nobody@example.org"));
  });

  it("a login creates a new session and ignores any existing cookie, which prevents session fixation", {
    meta: { proves: ["decision.access.sessions"] },
  }, async () => {
    const { member, viewer } = setting.world.people;
    browser.cookies.set("kb_session", "a".repeat(43));
    await logIn(browser, member.email, password);
    const first = browser.cookies.get("kb_session") ?? "";
    expect(first).not.toBe("a".repeat(43));
    // The form of another tab, sent after the first log-in: the earlier session ends.
    const page = await testBrowser(setting.app).get("/login");
    const csrf = (await tokenOf(browser)) ?? page.fields.csrf ?? "";
    await browser.submit(page, "/login", { csrf, email: viewer.email, password });
    expect(browser.cookies.get("kb_session")).not.toBe(first);
    expect(await actorOf(browser)).toMatchObject({ userId: viewer.id });
    const { database } = setting.world.service;
    expect(await authenticateSession(database, first, setting.clock.now())).toBeNull();
  });

  /** The CSRF token that goes with the browser's guest cookie, as another tab of it shows it. */
  async function tokenOf(visitor: TestBrowser): Promise<string | undefined> {
    const tab = testBrowser(setting.app);
    for (const name of ["kb_guest"]) tab.cookies.set(name, visitor.cookies.get(name) ?? "");
    return (await tab.get("/login")).fields.csrf;
  }

  it("a user who is already logged in is redirected at once", async () => {
    await logIn(browser, setting.world.people.member.email, password);
    const again = await browser.get("/login?return_to=%2Fsearch");
    expect([again.status, again.headers.get("Location")]).toEqual([303, "/search"]);
  });

  it.each<
    [string, (visitor: TestBrowser) => Promise<{ fields: Record<string, string>; headers: Record<string, string> }>]
  >([
    ["without the token", async () => ({ fields: { csrf: "" }, headers: {} })],
    [
      "with the token of another browser",
      async () => {
        const { csrf = "" } = (await testBrowser(setting.app).get("/login")).fields;
        return { fields: { csrf }, headers: {} };
      },
    ],
    ["from another site", async () => ({ fields: {}, headers: { Origin: "https://evil.example" } })],
    ["from a page that hides where it is", async () => ({ fields: {}, headers: { Origin: "null" } })],
    [
      "without the cookie of the page",
      async (visitor) => {
        visitor.cookies.clear();
        return { fields: {}, headers: {} };
      },
    ],
  ])(
    "a form sent %s is rejected, so that no other page can log a user in",
    { meta: { proves: ["decision.access.csrf"] } },
    async (_, change) => {
      const page = await browser.get("/login");
      const { fields, headers } = await change(browser);
      const sent = { email: setting.world.people.member.email, password, ...fields };
      const answer = await browser.submit(page, "/login", sent, headers);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("<h1>");
      expect(browser.cookies.has("kb_session")).toBe(false);
    },
  );

  it.each([
    ["JSON", { "Content-Type": "application/json" }, "{}", 415],
    ["a field twice", {}, "csrf=a&csrf=b", 400],
    ["too much", {}, `email=${"a".repeat(20_000)}`, 413],
  ])("a form with %s is rejected", async (_, headers, body, status) => {
    const answer = await setting.app.request("/login", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
      body,
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Content-Type")).toContain("text/html");
  });

  it("of 200 concurrent wrong passwords ten are answered and the rest must wait; the right one from another address succeeds", {
    meta: { proves: ["decision.access.log-in-throttle"] },
  }, async () => {
    const { editor } = setting.world.people;
    const page = await browser.get("/login");
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        browser.submit(page, "/login", { email: editor.email, password: `guess ${index}` }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(401), count(429)]).toEqual([10, 190]);
    const refused = await logIn(browser, editor.email, password);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "900"]);
    expect(refused.text).toContain("Try again in 15 minutes.");
    const elsewhere = testBrowser(setting.app, { address: "198.51.100.4" });
    expect((await logIn(elsewhere, editor.email, password)).status).toBe(303);
  });

  it("X-Forwarded-For is ignored unless it comes from a trusted proxy", {
    meta: { proves: ["decision.access.log-in-throttle", "decision.access.trusted-proxies"] },
  }, async () => {
    const { viewer } = setting.world.people;
    for (let index = 0; index < 10; index += 1) await logIn(browser, viewer.email, "wrong");
    const forged = { "X-Forwarded-For": "198.51.100.5", "X-Real-IP": "198.51.100.5", Forwarded: "for=198.51.100.5" };
    expect((await logIn(browser, viewer.email, "wrong", "/login", forged)).status).toBe(429);
    const proxied = testBrowser(setting.app, { address: "10.0.0.1" });
    expect((await logIn(proxied, viewer.email, password, "/login", forged)).status).toBe(303);
    const own = { "X-Forwarded-For": "198.51.100.5, 203.0.113.1" };
    expect(
      (await logIn(testBrowser(setting.app, { address: "10.0.0.1" }), viewer.email, "x", "/login", own)).status,
    ).toBe(429);
  });

  it("an account with failures from many addresses returns 429 with the reason, and its owner can still log in", {
    meta: { proves: ["decision.access.log-in-throttle"] },
  }, async () => {
    const { outsider } = setting.world.people;
    const from = (index: number) => testBrowser(setting.app, { address: `192.0.2.${index}` });
    for (let index = 1; index <= 10; index += 1) {
      expect((await logIn(from(index), outsider.email, "wrong")).status).toBe(401);
    }
    const beset = await logIn(from(11), outsider.email, "wrong");
    expect([beset.status, beset.text.includes("only a few attempts left")]).toEqual([429, true]);
    expect((await logIn(from(11), outsider.email, password)).status).toBe(303);
  });

  it("logins, failed logins and logouts are in the team's audit log, with the client address", {
    meta: { proves: ["decision.audit.log-ins"] },
  }, async () => {
    const { member } = setting.world.people;
    const { database } = setting.world.service;
    const since = setting.clock.now();
    await logIn(browser, member.email, "wrong");
    await logIn(browser, "nobody@example.org", "wrong");
    await logIn(browser, member.email, password);
    await browser.submit(await browser.get("/logout"), "/logout");
    await flushAudit(setting.world.service);
    const entries = await database.client.auditEntry.findMany({
      where: { teamId: setting.world.teamId, at: { gte: since }, action: { startsWith: "session." } },
      orderBy: [{ action: "asc" }, { outcome: "asc" }],
    });
    expect(entries.map(({ action, outcome, userId, address }) => ({ action, outcome, userId, address }))).toEqual([
      { action: "session.login", outcome: "failed", userId: member.id, address: "203.0.113.1" },
      { action: "session.login", outcome: "success", userId: member.id, address: "203.0.113.1" },
      { action: "session.logout", outcome: "success", userId: member.id, address: "203.0.113.1" },
    ]);
    expect(JSON.stringify(entries)).not.toContain("wrong");
  });

  it("an unknown path returns a page", async () => {
    const page = await browser.get("/login/nothing");
    expect([page.status, page.text.includes("Page not found")]).toEqual([404, true]);
  });
});

describe("logging out at /logout", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  async function loggedIn(): Promise<TestBrowser> {
    const browser = testBrowser(setting.app);
    const sent = { email: setting.world.people.member.email, password };
    await browser.submit(await browser.get("/login"), "/login", sent);
    return browser;
  }

  it("asks for confirmation, then ends the session and deletes the cookie", {
    meta: { proves: ["decision.access.log-in-forms"] },
  }, async () => {
    const browser = await loggedIn();
    const token = browser.cookies.get("kb_session") ?? "";
    const page = await browser.get("/logout");
    expect(page.text).toContain(setting.world.people.member.email);
    const answer = await browser.submit(page, "/logout");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/logout"]);
    expect(browser.cookies.has("kb_session")).toBe(false);
    expect((await browser.get("/logout")).text).toContain("You are logged out");
    const { service } = setting.world;
    expect(await authenticateSession(service.database, token, setting.clock.now())).toBeNull();
  });

  it("a form of another site, which is sent without the cookie, does not delete it", {
    meta: { proves: ["decision.access.csrf"] },
  }, async () => {
    const stranger = testBrowser(setting.app);
    const page = await stranger.get("/login");
    const answer = await stranger.submit(page, "/logout", {}, { Origin: "https://evil.example" });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([303, []]);
  });

  it.each([
    ["another site", { Origin: "https://evil.example" }, {}],
    ["a page without the token", {}, { csrf: "" }],
    ["a link", null, {}],
  ])("%s does not log out", { meta: { proves: ["decision.access.csrf"] } }, async (_, headers, fields) => {
    const browser = await loggedIn();
    const page = await browser.get("/logout");
    if (headers !== null) expect((await browser.submit(page, "/logout", fields, headers)).status).toBe(403);
    expect((await browser.get("/logout")).text).toContain("Log out?");
  });
});
