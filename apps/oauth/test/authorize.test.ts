import { authenticateSession } from "@kb/auth";
import { flushAudit } from "@kb/core";
import { sql } from "@kb/db";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestBrowser, testBrowser } from "./browser.ts";
import {
  authorizePathOf,
  decide,
  loggedInBrowser,
  renewProofs,
  sentTo,
  type TestClient,
  testClient,
} from "./consenting.ts";
import { openSetting, password, type Setting } from "./setting.ts";

const issuer = "http://localhost:3000";

describe("the decision at POST /oauth/authorize", () => {
  let setting: Setting;
  let client: TestClient;
  let browser: TestBrowser;
  beforeAll(async () => {
    setting = await openSetting();
    await switchMcp(true);
    client = await testClient(setting);
    browser = await loggedInBrowser(setting, setting.world.people.member);
  });
  beforeEach(async () => {
    setting.clock.advance(60_000);
    await renewProofs(setting);
  });
  afterAll(() => setting?.close());

  async function switchMcp(mcpEnabled: boolean): Promise<void> {
    const { service, teamId } = setting.world;
    await service.database.client.team.update({ where: { id: teamId }, data: { mcpEnabled } });
  }
  const shown = (given: Record<string, string | null> = {}, by = client, visitor = browser) =>
    visitor.get(authorizePathOf(by, given));
  const grants = () =>
    setting.world.service.database.rows<{ id: string; scopes: string[]; userId: string; clientId: string }>(
      sql`SELECT id, scopes, "userId", "clientId" FROM oauth_grants WHERE "teamId" = ${setting.world.teamId}::uuid ORDER BY id`,
    );
  /** Returns the answer and its effects. */
  async function outcome(act: () => ReturnType<typeof decide>) {
    const before = (await grants()).length;
    const page = await act();
    return { page, status: page.status, ...sentTo(page), made: (await grants()).slice(before) };
  }

  it("allow: returns a code, the state and iss (RFC 9207) by 303", {
    meta: { proves: ["oauth.authorize", "oauth.consent", "decision.consent.responses"] },
  }, async () => {
    const page = await shown({ state: "s %&+=" });
    const { status, at, answer, made, page: sent } = await outcome(() => decide(browser, page, "allow"));
    expect([status, at]).toEqual([303, client.redirectUri]);
    expect(answer).toEqual({ code: expect.stringMatching(/^kbac_[\w-]{43}$/), state: "s %&+=", iss: issuer });
    expect(made).toEqual([expect.objectContaining({ scopes: ["read", "write"], clientId: client.id })]);
    expect([sent.headers.get("Cache-Control"), sent.headers.get("Referrer-Policy")]).toEqual([
      "no-store",
      "no-referrer",
    ]);
  });

  it("deny: returns access_denied with state and iss by 303, and creates nothing", {
    meta: { proves: ["oauth.consent", "decision.consent.errors"] },
  }, async () => {
    const page = await shown();
    const { status, at, answer, made } = await outcome(() => decide(browser, page, "deny"));
    expect([status, at, made]).toEqual([303, client.redirectUri, []]);
    expect(answer).toEqual({
      error: "access_denied",
      state: "a state",
      iss: issuer,
      error_description: "The user did not allow it.",
    });
  });

  it("RFC 8252: a loopback address and a private-use scheme receive the response too", async () => {
    const uris = ["http://127.0.0.1/callback", "com.example.app:/callback", "cursor://anysphere.cursor-mcp/oauth/x"];
    const native = await testClient(setting, { redirectUris: uris });
    for (const uri of ["http://127.0.0.1:49152/callback", ...uris.slice(1)]) {
      const { at, answer } = await outcome(async () =>
        decide(browser, await shown({ redirect_uri: uri }, native), "allow"),
      );
      expect([at, Object.keys(answer).sort()]).toEqual([uri, ["code", "iss", "state"]]);
    }
  });

  describe("scopes", () => {
    it.each([
      ["read write", ["read", "read write"], "read write"],
      ["write", ["read", "read write"], "read write"],
      ["read", ["read"], "read"],
      ["read write admin offline_access", ["read", "read write"], "read write"],
      ["admin", ["read", "read write"], "read"],
      ["documents.*", ["read", "read write"], "read"],
      [null, ["read", "read write"], "read"],
    ])(
      "a request of %j offers %j and preselects %j",
      { meta: { proves: ["decision.consent.scopes", "decision.consent.forms"] } },
      async (scope, choices, chosen) => {
        const page = await shown({ scope });
        const radios = [...page.text.matchAll(/<input type="radio"[^>]* value="([^"]*)"/g)].map(([, value]) => value);
        expect(radios).toEqual(choices);
        expect(page.fields.scope).toBe(chosen);
        expect(
          [...page.text.matchAll(/<button[^>]* name="decision" value="(\w+)"/g)].map(([, value]) => value),
        ).toEqual(["allow", "deny"]);
      },
    );

    it("the user may grant fewer scopes than requested", {
      meta: { proves: ["decision.consent.scopes"] },
    }, async () => {
      const page = await shown({ scope: "read write" });
      const { made } = await outcome(() => decide(browser, page, "allow", { scope: "read" }));
      expect(made).toEqual([expect.objectContaining({ scopes: ["read"] })]);
    });

    it.each(["read write", "admin", "read admin", "write", "", "READ"])(
      "no other scope can be granted: %j if read was requested",
      { meta: { proves: ["decision.consent.scopes"] } },
      async (scope) => {
        const page = await shown({ scope: "read" });
        const { status, made } = await outcome(() => decide(browser, page, "allow", { scope }));
        expect([status, made]).toEqual([400, []]);
      },
    );
  });

  describe("a decision is accepted only from our own page, shown in this session", () => {
    it.each([
      ["another origin", {}, { Origin: "https://evil.example" }],
      ["an origin that hides", {}, { Origin: "null" }],
      ["no origin", {}, { Origin: "" }],
      ["no CSRF token", { csrf: "" }, {}],
      ["a made-up CSRF token", { csrf: "a".repeat(43) }, {}],
    ])(
      "a forged POST is rejected: %s",
      { meta: { proves: ["decision.consent.guarded"] } },
      async (_, fields, headers) => {
        const page = await shown();
        const form = { decision: "allow", scope: "read", ...fields };
        const { status, at, made } = await outcome(() => browser.submit(page, "/oauth/authorize", form, headers));
        expect([status, at, made]).toEqual([403, "", []]);
      },
    );

    it("without a login nothing is decided, whatever the form contains", {
      meta: { proves: ["decision.consent.page"] },
    }, async () => {
      const page = await shown();
      const stranger = testBrowser(setting.app);
      const { status, at, made } = await outcome(() => decide(stranger, page, "allow"));
      expect([status, at, made]).toEqual([403, "", []]);
      const { key } = setting.world.people.admin;
      const byKey = { Authorization: `Bearer ${key}` };
      const form = { decision: "allow" };
      expect((await stranger.submit(page, "/oauth/authorize", form, byKey)).status).toBe(403);
    });

    it("consent cannot be replayed by another user, or in another session of the same user", {
      meta: { proves: ["decision.consent.guarded"] },
    }, async () => {
      const page = await shown();
      for (const person of [setting.world.people.viewer, setting.world.people.member]) {
        const other = await loggedInBrowser(setting, person);
        const own = await other.get(authorizePathOf(client));
        const replayed = { csrf: own.fields.csrf ?? "", request: page.fields.request ?? "" };
        const { status, at, made } = await outcome(() => decide(other, own, "allow", replayed));
        expect([status, at, made]).toEqual([403, "", []]);
      }
    });

    it("a request is rejected if any part of it was changed", {
      meta: { proves: ["decision.consent.guarded"] },
    }, async () => {
      const other = await testClient(setting, { redirectUris: ["https://evil.example.com/callback"] });
      const page = await shown({ scope: "read" });
      const request = page.fields.request ?? "";
      const forged = [
        request.replace(client.id, other.id),
        request.replace("scope=read", "scope=read+write"),
        `${request}&scope=write`,
        request.replace(/^[\w-]{43}/, "A".repeat(43)),
        request.replace(/^[\w-]+\./, ""),
        request.replace(/\.\d+\./, `.${setting.clock.now().getTime() + 1}.`),
        authorizePathOf(client).split("?")[1] ?? "",
        "",
      ];
      for (const altered of forged) {
        const { status, at, made } = await outcome(() => decide(browser, page, "allow", { request: altered }));
        expect([altered, status, at, made]).toEqual([altered, 403, "", []]);
      }
    });

    it("a page that was open for more than an hour asks again", async () => {
      const page = await shown();
      setting.clock.advance(3_600_000 + 1);
      const { status, page: answer, made } = await outcome(() => decide(browser, page, "allow"));
      expect([status, made]).toEqual([403, []]);
      expect(answer.text).toContain("open for too long");
      await renewProofs(setting);
      expect((await outcome(async () => decide(browser, await shown(), "allow"))).status).toBe(303);
    });

    it("a form without a button, or with a repeated field, is rejected", async () => {
      const page = await shown();
      for (const decision of ["", "ALLOW", "yes"]) {
        const { status, made } = await outcome(() => decide(browser, page, decision));
        expect([status, made]).toEqual([400, []]);
      }
      const twice = new URLSearchParams({ ...page.fields, decision: "deny" });
      twice.append("decision", "allow");
      const headers = {
        Origin: issuer,
        "Content-Type": "application/x-www-form-urlencoded",
        Cookie: cookieOf(browser),
      };
      const answer = await setting.app.request("/oauth/authorize", { method: "POST", body: twice.toString(), headers });
      expect(answer.status).toBe(400);
      const json = { method: "POST", body: "{}", headers: { ...headers, "Content-Type": "application/json" } };
      expect((await setting.app.request("/oauth/authorize", json)).status).toBe(415);
    });
  });

  const cookieOf = ({ cookies }: TestBrowser) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  it("everything is checked again: an app or a redirect URI that was removed in the meantime gets nothing", {
    meta: { proves: ["decision.consent.never-redirected"] },
  }, async () => {
    const { client: models } = setting.world.service.database;
    const gone = await testClient(setting);
    const page = await shown({}, gone);
    await models.oauthClient.update({
      where: { id: gone.id },
      data: { metadata: { redirectUris: ["https://app.example.com/new"], authentication: "none", clientUri: null } },
    });
    const moved = await outcome(() => decide(browser, page, "allow"));
    expect([moved.status, moved.at, moved.made]).toEqual([400, "", []]);
    await models.oauthClient.delete({ where: { id: gone.id } });
    const removed = await outcome(() => decide(browser, page, "deny"));
    expect([removed.status, removed.at, removed.made]).toEqual([400, "", []]);
  });

  it("consent is required every time", { meta: { proves: ["decision.consent.page"] } }, async () => {
    await decide(browser, await shown(), "allow");
    const again = await shown();
    expect([again.status, again.fields.request === undefined]).toEqual([200, false]);
  });

  it("several pages may be open at once, and each decides on its own request", async () => {
    const pages = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        shown({ state: `page ${index}`, scope: index % 2 === 0 ? "read" : "write" }),
      ),
    );
    const before = (await grants()).length;
    const answers = await Promise.all(pages.map((page) => decide(browser, page, "allow")));
    expect(answers.map((answer) => sentTo(answer).answer.state)).toEqual(pages.map((_, index) => `page ${index}`));
    expect(new Set(answers.map((answer) => sentTo(answer).answer.code)).size).toBe(10);
    const made = (await grants()).slice(before).map(({ scopes }) => scopes.join(" "));
    expect(made.toSorted()).toEqual([...Array(5).fill("read"), ...Array(5).fill("read write")]);
  });

  it("a page decides nothing after its session has ended", async () => {
    const { admin } = setting.world.people;
    const visitor = await loggedInBrowser(setting, admin);
    const page = await shown({}, client, visitor);
    const { database } = setting.world.service;
    const actor = await authenticateSession(database, visitor.cookies.get("kb_session") ?? "", setting.clock.now());
    await database.client.browserSession.deleteMany({
      where: { teamId: setting.world.teamId, id: actor?.credential.id ?? client.id },
    });
    const { status, made } = await outcome(() => decide(visitor, page, "allow"));
    expect([status, made]).toEqual([403, []]);
  });

  describe("the user who decides", () => {
    it.each(["admin", "editor", "member", "viewer"] as const)(
      "%s: grants access only for themselves",
      { meta: { proves: ["decision.consent.who"] } },
      async (name) => {
        const person = setting.world.people[name];
        const visitor = await loggedInBrowser(setting, person);
        const page = await shown({}, client, visitor);
        expect(page.text).toContain(person.email);
        expect(page.text.includes("You have only read access yourself")).toBe(name === "viewer");
        const { made } = await outcome(() => decide(visitor, page, "allow"));
        expect(made).toEqual([expect.objectContaining({ userId: person.id })]);
      },
    );

    it("a page says that MCP is disabled for the team, and leads back to the app", {
      meta: { proves: ["decision.consent.who"] },
    }, async () => {
      const open = await shown();
      await switchMcp(false);
      try {
        const page = await shown();
        const late = await outcome(() => decide(browser, open, "allow"));
        expect(late.made).toEqual([]);
        for (const answer of [page, late.page]) {
          expect(answer.status).toBe(403);
          expect(answer.text).toContain("Apps cannot connect yet");
          const href = (/class="button" href="([^"]+)"/.exec(answer.text)?.[1] ?? "").replaceAll("&amp;", "&");
          const back = new URL(href);
          expect([back.origin + back.pathname, back.searchParams.get("error")]).toEqual([
            client.redirectUri,
            "access_denied",
          ]);
          expect([back.searchParams.get("state"), back.searchParams.get("iss")]).toEqual(["a state", issuer]);
        }
        expect((await outcome(() => decide(browser, open, "deny"))).status).toBe(303);
      } finally {
        await switchMcp(true);
      }
    });

    it("another user can log in from this page, and returns to the request", async () => {
      const visitor = await loggedInBrowser(setting, setting.world.people.member);
      const page = await shown({}, client, visitor);
      const href = (/href="(\/login[^"]+)"/.exec(page.text)?.[1] ?? "").replaceAll("&amp;", "&");
      const { email } = setting.world.people.viewer;
      const arrived = await visitor.submit(await visitor.get(href), "/login", { email, password });
      const consent = await visitor.get(arrived.headers.get("Location") ?? "");
      expect(consent.text).toContain(email);
    });
  });

  it("decisions and forged POSTs are in the audit log, with user, client address and app", {
    meta: { proves: ["decision.apps.told"] },
  }, async () => {
    const { service, teamId, people } = setting.world;
    // Refusals of the tests before wait for their batch.
    await flushAudit(service);
    const { made } = await outcome(async () => decide(browser, await shown(), "allow", { scope: "read" }));
    await browser.submit(await shown(), "/oauth/authorize", { decision: "allow", csrf: "x" });
    await flushAudit(service);
    const entries = await service.database.client.auditEntry.findMany({
      where: { teamId, action: { in: ["oauth.authorize", "session.refused"] } },
      orderBy: { id: "desc" },
      take: 2,
    });
    const allowed = entries.find((entry) => entry.action === "oauth.authorize");
    expect(allowed).toMatchObject({
      userId: people.member.id,
      credentialKind: "session",
      outcome: "success",
      address: "203.0.113.1",
      targetType: "oauth_grant",
      targetId: made[0]?.id,
      details: expect.objectContaining({ clientId: client.id, scopes: ["read"] }),
    });
    expect(JSON.stringify(entries)).not.toContain("kbac_");
    expect(entries.some((entry) => entry.action === "session.refused" && entry.outcome === "denied")).toBe(true);
  });

  it("no log contains the code or the state", () => {
    expect(setting.lines.length).toBeGreaterThan(50);
    expect(setting.lines.join("")).not.toMatch(/kbac_|a%20state|a state/);
  });
});

it("returns 404 if there is no authorization server", { meta: { proves: ["decision.consent.who"] } }, async () => {
  const setting = await openSetting({ authorization: undefined });
  try {
    const browser = testBrowser(setting.app);
    expect((await browser.get("/oauth/authorize?client_id=x")).status).toBe(404);
  } finally {
    await setting.close();
  }
});
