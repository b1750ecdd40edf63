import { connectApp, testChallenge, testRedirectUri } from "@kb/core/testing";
import { sql } from "@kb/db";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Page, type TestBrowser, testBrowser } from "./browser.ts";
import { authorizePathOf, loggedInBrowser, sentTo, type TestClient, testClient } from "./consenting.ts";
import { openSetting, type Setting } from "./setting.ts";

const issuer = "http://localhost:3000";

describe("a request at GET /oauth/authorize", () => {
  let setting: Setting;
  let client: TestClient;
  let browser: TestBrowser;
  beforeAll(async () => {
    setting = await openSetting();
    const { service, teamId } = setting.world;
    await service.database.client.team.update({ where: { id: teamId }, data: { mcpEnabled: true } });
    // Faults are reported to the app only for a trusted client, such as a metadata document.
    client = await testClient(setting, { kind: "document", id: "https://app.example.com/client.json" });
    browser = await loggedInBrowser(setting, setting.world.people.member);
  });
  beforeEach(() => setting.clock.advance(60_000));
  afterAll(() => setting?.close());

  const asked = (given: Record<string, string | null> = {}, by = client) => browser.get(authorizePathOf(by, given));
  const codes = () => setting.world.service.database.acrossTeams.rows(sql`SELECT "teamId" FROM oauth_codes`);
  /** An error page: in words, and without any way to where the request wanted. */
  function expectPage(page: Page, words: RegExp): void {
    expect(page.status).toBe(400);
    expect(page.headers.get("Location")).toBeNull();
    expect(page.headers.get("Content-Type")).toContain("text/html");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.text).toMatch(words);
    expect(page.text).not.toMatch(/href="(?!\/login|data:)/);
  }
  function expectError(page: Page, error: string, words: RegExp, state: string | null = "a state"): void {
    expect(page.status).toBe(303);
    const { at, answer } = sentTo(page);
    expect(at).toBe(client.redirectUri);
    expect(answer).toEqual({
      error,
      error_description: expect.stringMatching(words),
      iss: issuer,
      ...(state === null ? {} : { state }),
    });
    expect(page.headers.get("Cache-Control")).toBe("no-store");
  }

  it("shows a page if it is valid, and grants nothing yet", { meta: { proves: ["oauth.authorize"] } }, async () => {
    const page = await asked();
    expect(page.status).toBe(200);
    expect(page.text).toContain("Example Assistant");
    expect(await codes()).toEqual([]);
  });

  describe("OAuth 2.1 §4.1.2.1: if the client or the redirect URI is not known, the server MUST NOT redirect", () => {
    it("an unknown client is shown a page that says how to continue", {
      meta: { proves: ["decision.consent.never-redirected"] },
    }, async () => {
      for (const client_id of ["nobody", "", "x".repeat(3000), "'; DROP TABLE oauth_clients; --", null]) {
        const page = await asked({ client_id });
        expectPage(page, /is not registered|request is invalid/);
      }
      expect((await asked({ client_id: "nobody" })).text).toContain(
        "Remove the connection in the app, then add it again.",
      );
    });

    it.each([
      ["another host", "https://evil.example.com/callback"],
      ["a path below", "https://app.example.com/callback/more"],
      ["another query", "https://app.example.com/callback?x=1"],
      ["another port", "https://app.example.com:8443/callback"],
      ["http for https", "http://app.example.com/callback"],
      ["another case of the path", "https://app.example.com/Callback"],
      ["a trailing slash", "https://app.example.com/callback/"],
      ["a path that climbs", "https://app.example.com/x/../callback"],
      ["user info", "https://app.example.com@evil.example.com/callback"],
      ["a fragment", "https://app.example.com/callback#x"],
      ["a host that begins so", "https://app.example.com.evil.example/callback"],
      ["an escaped slash", "https://app.example.com%2f@evil.example.com/callback"],
      ["javascript", "javascript:alert(1)//https://app.example.com/callback"],
      ["mixed case", "jAvAsCrIpT:alert(1)"],
      ["data", "data:text/html,<script>alert(1)</script>"],
      ["vbscript", "vbscript:x"],
      ["file", "file:///etc/passwd"],
      ["blob", "blob:https://app.example.com/callback"],
      ["about", "about:blank"],
      ["no address", "callback"],
      ["protocol relative", "//app.example.com/callback"],
      ["a leading blank", " https://app.example.com/callback"],
    ])(
      "an unregistered redirect URI is never used: %s",
      { meta: { proves: ["decision.consent.never-redirected"] } },
      async (_, uri) => {
        expectPage(await asked({ redirect_uri: uri }), /request is invalid/);
      },
    );

    it.each(["javascript:alert(1)", "data:text/html,x", "jAvAsCrIpT:alert(1)", "\tjavascript:alert(1)"])(
      "%j is not redirected to even where a registration holds it",
      { meta: { proves: ["decision.consent.never-redirected"] } },
      async (uri) => {
        const forged = await testClient(setting, { redirectUris: [uri] });
        expectPage(await asked({}, forged), /request is invalid/);
      },
    );

    it("a repeated redirect URI is rejected", {
      meta: { proves: ["decision.consent.never-redirected"] },
    }, async () => {
      const twice = `${authorizePathOf(client)}&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback`;
      expectPage(await browser.get(twice), /redirect_uri is missing or was sent more than once/);
    });

    it("the redirect URI may be omitted only if exactly one is registered (OAuth 2.1 §4.1.1)", async () => {
      expect((await asked({ redirect_uri: null })).status).toBe(200);
      const two = await testClient(setting, {
        redirectUris: ["https://app.example.com/a", "https://app.example.com/b"],
      });
      expectPage(await asked({ redirect_uri: null }, two), /redirect_uri is missing/);
    });

    it("values of the request are shown as text", {
      meta: { proves: ["decision.consent.never-redirected"] },
    }, async () => {
      const page = await asked({ client_id: `"><script>alert(1)</script>` });
      expect(page.text).not.toContain("<script");
    });
  });

  it("RFC 8252 §7.3: a loopback redirect accepts any port, but no other path", {
    meta: { proves: ["oauth.authorize"] },
  }, async () => {
    const uris = ["http://127.0.0.1/callback", "http://localhost:1234/callback", "http://[::1]/callback"];
    const native = await testClient(setting, { redirectUris: uris });
    for (const origin of ["http://127.0.0.1:49152", "http://localhost:3", "http://[::1]:65535"]) {
      const page = await asked({ redirect_uri: `${origin}/callback` }, native);
      expect(page.status).toBe(200);
      expect(page.text).toContain(new URL(origin).host);
      for (const other of [`${origin}/other`, `${origin.replace("http", "https")}/callback`, `${origin}x/callback`]) {
        expectPage(await asked({ redirect_uri: other }, native), /request is invalid/);
      }
    }
    expectPage(await asked({ redirect_uri: "http://127.0.0.2:49152/callback" }, native), /request is invalid/);
  });

  it.each(["response_type", "scope", "state", "code_challenge", "code_challenge_method", "prompt", "foo"])(
    "OAuth 2.1 §3.1: parameters MUST NOT be included more than once: %s",
    { meta: { proves: ["decision.consent.parameters"] } },
    async (name) => {
      const given = authorizePathOf(client, { foo: "1", prompt: "consent" });
      const value = new URL(given, issuer).searchParams.get(name) ?? "";
      const page = await browser.get(`${given}&${new URLSearchParams({ [name]: value })}`);
      // A state of two readings is none to give back.
      const state = name === "state" ? undefined : "a state";
      const { answer } = sentTo(page);
      expect([page.status, answer.error, answer.state]).toEqual([303, "invalid_request", state]);
      expect(answer.error_description).toContain(name);
    },
  );

  it("OAuth 2.1 §3.1: unknown parameters MUST be ignored, and empty ones count as omitted", async () => {
    expect((await asked({ unheard: "of", nonce: "1", max_age: "0", response_mode: "" })).status).toBe(200);
    expectError(await asked({ code_challenge: "" }), "invalid_request", /code_challenge is missing/);
  });

  it.each([
    [null, "invalid_request"],
    ["token", "unsupported_response_type"],
    ["code token", "unsupported_response_type"],
    ["CODE", "unsupported_response_type"],
  ])(
    "OAuth 2.1 §4.1.1: response_type %j is %s",
    { meta: { proves: ["oauth.authorize"] } },
    async (response_type, error) => {
      expectError(await asked({ response_type }), error, /code/);
    },
  );

  it.each(["fragment", "form_post", "query.jwt"])(
    "a request for a response by %s is rejected",
    async (response_mode) => {
      expectError(await asked({ response_mode }), "invalid_request", /response_mode must be query/);
    },
  );

  it.each([
    ["missing", { code_challenge: null }, /code_challenge is missing/],
    ["plain", { code_challenge_method: "plain" }, /plain is not accepted/],
    ["plain by silence", { code_challenge_method: null }, /must be S256/],
    ["another case", { code_challenge_method: "s256" }, /must be S256/],
    ["too short", { code_challenge: testChallenge.slice(1) }, /43 characters/],
    ["too long", { code_challenge: `${testChallenge}A` }, /43 characters/],
    ["padded", { code_challenge: `${testChallenge.slice(1)}=` }, /43 characters/],
  ])(
    "OAuth 2.1 §4.1.1, RFC 7636: PKCE with S256 is required: %s",
    { meta: { proves: ["decision.consent.parameters"] } },
    async (_, given, words) => {
      expectError(await asked(given), "invalid_request", words);
    },
  );

  it("RFC 8707: another resource is invalid_target; ours is accepted, with or without a slash, and by default", {
    meta: { proves: ["decision.consent.resource"] },
  }, async () => {
    for (const resource of [
      "https://other.example.com/api/mcp",
      `${issuer}/api/v1`,
      issuer,
      `${issuer}/api/mcp#x`,
      "x",
    ]) {
      expectError(await asked({ resource }), "invalid_target", /api\/mcp/);
    }
    for (const resource of [`${issuer}/api/mcp`, `${issuer}/api/mcp/`, null]) {
      expect((await asked({ resource })).status).toBe(200);
    }
    const both = `${authorizePathOf(client, { resource: `${issuer}/api/mcp` })}&resource=https%3A%2F%2Fother.example`;
    expectError(await browser.get(both), "invalid_target", /api\/mcp/);
  });

  it("a request without a state gets none back", { meta: { proves: ["decision.consent.errors"] } }, async () => {
    expectError(await asked({ state: null, response_type: "token" }), "unsupported_response_type", /code/, null);
  });

  it.each([
    "a b+c%20&d=e#f?g",
    "%%%",
    "ключ🔑",
    '"<script>',
    "+",
    "a=b&iss=https://evil.example",
    "x".repeat(4000),
    " ",
  ])(
    "OAuth 2.1 §4.1.2.1: the state is returned unchanged: %j",
    { meta: { proves: ["decision.consent.errors", "decision.consent.responses"] } },
    async (state) => {
      expectError(await asked({ state, response_type: "token" }), "unsupported_response_type", /code/, state);
    },
  );

  it("OAuth 2.1 §2.3: a query in the redirect URI is kept", {
    meta: { proves: ["decision.consent.errors"] },
  }, async () => {
    const redirectUris = ["https://app.example.com/callback?tenant=a%20b&x=%2B"];
    const own = await testClient(setting, { redirectUris, kind: "document", id: "https://app.example.com/own.json" });
    const { headers } = await asked({ response_type: "token" }, own);
    expect(headers.get("Location")).toMatch(/^https:\/\/app\.example\.com\/callback\?tenant=a%20b&x=%2B&error=/);
  });

  it("a request that is too long to survive a login is rejected", async () => {
    expectError(await asked({ state: "x".repeat(5900) }), "invalid_request", /too long/, "x".repeat(5900));
  });

  describe("RFC 9700 §4.11.2: an error of a client that registered itself", () => {
    const linkOf = ({ text }: Page): URL =>
      new URL((/<a class="button second" href="([^"]+)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&"));
    /** A page that shows the error, with a link that reports it. */
    function expectLink(page: Page, error: string): void {
      expect([page.status, page.headers.get("Location")]).toEqual([400, null]);
      expect(page.headers.get("Cache-Control")).toBe("no-store");
      expect(page.text).toContain(`<code>${error}: `);
      const { origin, pathname, searchParams } = linkOf(page);
      expect(origin + pathname).toBe("https://app.example.com/callback");
      expect([searchParams.get("error"), searchParams.get("state"), searchParams.get("iss")]).toEqual([
        error,
        "a state",
        issuer,
      ]);
    }

    it.each([
      ["unsupported_response_type", { response_type: "token" }],
      ["invalid_request", { code_challenge: null }],
      ["invalid_target", { resource: "https://other.example.com/api/mcp" }],
      ["consent_required", { prompt: "none" }],
    ])(
      "is shown on a page with a link: %s",
      { meta: { proves: ["decision.consent.errors"] } },
      async (error, given) => {
        const own = await testClient(setting);
        expectLink(await asked(given, own), error);
        const visitor = await testBrowser(setting.app).get(authorizePathOf(own, given));
        expectLink(visitor, error === "consent_required" ? "login_required" : error);
      },
    );

    it("is reported to the app by a redirect if this user has a living grant for it", {
      meta: { proves: ["decision.consent.errors"] },
    }, async () => {
      const { world } = setting;
      const { clientId, grantId } = await connectApp(world, world.people.member);
      const own = { id: clientId, redirectUri: testRedirectUri };
      const faulty = () => asked({ response_type: "token" }, own);
      expectError(await faulty(), "unsupported_response_type", /code/);
      expectError(await asked({ prompt: "none" }, own), "consent_required", /always required/);

      const viewer = await loggedInBrowser(setting, world.people.viewer);
      expectLink(await viewer.get(authorizePathOf(own, { response_type: "token" })), "unsupported_response_type");

      const { oauthGrant } = world.service.database.client;
      const grant = { teamId: world.teamId, id: grantId };
      const { expiresAt } = await oauthGrant.update({ where: { teamId_id: grant }, data: { revokedAt: new Date() } });
      expectLink(await faulty(), "unsupported_response_type");
      const expired = { revokedAt: null, expiresAt: setting.clock.now() };
      await oauthGrant.update({ where: { teamId_id: grant }, data: expired });
      expectLink(await faulty(), "unsupported_response_type");
      await oauthGrant.update({ where: { teamId_id: grant }, data: { expiresAt } });
      expectError(await faulty(), "unsupported_response_type", /code/);
    });

    it("names the target as a program on the user's machine or an app on the device", {
      meta: { proves: ["decision.consent.errors"] },
    }, async () => {
      const uris = ["http://127.0.0.1:8123/callback", "cursor://anysphere.cursor-mcp/callback"];
      const native = await testClient(setting, { redirectUris: uris, name: "<b>Native</b>" });
      const [loopback, app] = await Promise.all(
        uris.map((redirect_uri) => asked({ redirect_uri, response_type: "token" }, native)),
      );
      expect(loopback?.text).toContain("Continue to <code>127.0.0.1:8123</code>");
      expect(app?.text).toContain("Continue to the app for <code>cursor:</code>");
      expect(app?.text).not.toContain("<b>Native");
    });
  });

  describe("a user who is not logged in", () => {
    it("logs in and returns to the same request", { meta: { proves: ["oauth.consent"] } }, async () => {
      const stranger = testBrowser(setting.app);
      const state = `odd +&=%20"ключ`;
      const sent = await stranger.get(authorizePathOf(client, { state, prompt: "login" }));
      expect(sent.status).toBe(303);
      const logIn = sent.headers.get("Location") ?? "";
      expect(logIn).toMatch(/^\/login\?return_to=%2Foauth%2Fauthorize%3F/);
      const page = await stranger.get(logIn);
      expect(page.text).toContain("An app wants to connect.");
      const { email } = setting.world.people.member;
      const arrived = await stranger.submit(page, "/login", { email, password: "a password of a length" });
      const consent = await stranger.get(arrived.headers.get("Location") ?? "");
      expect(consent.status).toBe(200);
      const denied = await stranger.submit(consent, "/oauth/authorize", { decision: "deny" });
      expect(sentTo(denied).answer).toMatchObject({ error: "access_denied", state });
    });

    it("an error of the app is reported to the app before the login", {
      meta: { proves: ["decision.consent.errors"] },
    }, async () => {
      const page = await testBrowser(setting.app).get(authorizePathOf(client, { code_challenge: null }));
      expectError(page, "invalid_request", /code_challenge/);
    });
  });

  describe("prompt", () => {
    it("none: consent is always required", async () => {
      expectError(await asked({ prompt: "none" }), "consent_required", /always required/);
      const stranger = testBrowser(setting.app);
      expectError(await stranger.get(authorizePathOf(client, { prompt: "none" })), "login_required", /not logged in/);
      expectError(await asked({ prompt: "none consent" }), "invalid_request", /prompt none/);
    });

    it.each(["login", "select_account", "login consent"])("%s: asks for a login once", async (prompt) => {
      const sent = await asked({ prompt });
      const location = sent.headers.get("Location") ?? "";
      expect([sent.status, location.endsWith("&other=1")]).toEqual([303, true]);
      const page = await browser.get(location);
      expect([page.status, page.fields.password]).toEqual([200, ""]);
      expect(page.fields.return_to).not.toContain("prompt");
    });

    it("consent, and unknown values: the consent page as usual", async () => {
      for (const prompt of ["consent", "create", ""]) expect((await asked({ prompt })).status).toBe(200);
    });
  });

  it("other methods are rejected, and no page of another origin can read the response", async () => {
    const put = await setting.app.request("/oauth/authorize", { method: "PUT" });
    expect([put.status, put.headers.get("Allow")]).toEqual([405, "GET, POST"]);
    const page = await browser.get(authorizePathOf(client), { Origin: "https://evil.example" });
    expect(page.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  it("an API key is not a login: consent is given only in a browser", {
    meta: { proves: ["decision.consent.page"] },
  }, async () => {
    const { key } = setting.world.people.admin;
    const page = await testBrowser(setting.app).get(authorizePathOf(client), { Authorization: `Bearer ${key}` });
    expect([page.status, page.headers.get("Location")?.startsWith("/login?")]).toEqual([303, true]);
  });
});
