import { createHash } from "node:crypto";
import { authenticateAccessToken, hashToken } from "@kb/auth";
import { flushAudit } from "@kb/core";
import { allowApp, type ConnectedApp, connectApp, registerApp, testRedirectUri, testVerifier } from "@kb/core/testing";
import { newId } from "@kb/db";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Setting } from "./setting.ts";
import { type Answer, openTokens, redeem, refresh, sendForm } from "./tokens.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openTokens();
});
afterAll(() => setting.close());
// Each test has a minute of its own: requests are counted.
beforeEach(() => setting.clock.advance(61_000));

const allow = (consent: Parameters<typeof allowApp>[2] = {}) =>
  allowApp(setting.world, setting.world.people.editor, consent);
const connect = (consent: Parameters<typeof connectApp>[2] = {}) =>
  connectApp(setting.world, setting.world.people.editor, consent);

/** Returns the user of an access token at the MCP endpoint. */
function holderOf(token: unknown, resource = `${setting.world.service.appUrl}/api/mcp`) {
  const { database, oauth, clock } = setting.world.service;
  return authenticateAccessToken(database, String(token), { keys: oauth.keys, resource, now: clock.now() });
}

const refusal = ({ status, body }: Answer) => [status, body.error];

describe("the redemption of a code", () => {
  it("returns an access token and a refresh token of the documented formats and lifetimes", {
    meta: { proves: ["oauth.token", "oauth.access-token", "decision.oauth.tokens", "decision.oauth.lifetimes"] },
  }, async () => {
    const { status, body, headers } = await redeem(setting.app, await allow());
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^kbat_[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^kbrt_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "read write",
    });
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
  });

  it("RFC 6749 §5.1: responses with tokens have Cache-Control: no-store and Pragma: no-cache", {
    meta: { proves: ["decision.oauth.no-store"] },
  }, async () => {
    const { headers } = await redeem(setting.app, await allow());
    expect([headers.get("Cache-Control"), headers.get("Pragma")]).toEqual(["no-store", "no-cache"]);
  });

  it("the token acts for the user who consented, in their team, with the granted scopes: write implies read", {
    meta: { proves: ["oauth.access-token"] },
  }, async () => {
    const { people, teamId } = setting.world;
    const scopesOf = async (scopes: ("read" | "write")[]) => {
      const { accessToken } = await connect({ scopes });
      return holderOf(accessToken);
    };
    expect(await scopesOf(["write"])).toMatchObject({
      teamId,
      userId: people.editor.id,
      scopes: new Set(["read", "write"]),
      restrictedKeyId: null,
      credential: { kind: "oauth", name: "Example Assistant" },
    });
    expect((await scopesOf(["read"]))?.scopes).toEqual(new Set(["read"]));
  });

  it("is available to pages of any origin: CORS, without cookies", async () => {
    const answer = await redeem(setting.app, await allow(), {}, { Origin: "https://inspector.example" });
    expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"]);
    expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
    const asked = await setting.app.request("/oauth/token", {
      method: "OPTIONS",
      headers: { Origin: "https://inspector.example", "Access-Control-Request-Method": "POST" },
    });
    expect([asked.status, asked.headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
  });

  it("OAuth 2.1 §10.2: accepts a client without redirect_uri, since PKCE binds the code", async () => {
    expect((await redeem(setting.app, await allow(), { redirect_uri: null })).status).toBe(200);
  });

  it("RFC 8707 §2.2: accepts the resource with and without a slash, and a missing one", {
    meta: { proves: ["decision.oauth.resource"] },
  }, async () => {
    const resource = `${setting.world.service.appUrl}/api/mcp`;
    for (const sent of [resource, `${resource}/`, null, [resource, resource]]) {
      expect((await redeem(setting.app, await allow(), { resource: sent })).status).toBe(200);
    }
  });
});

describe("a code is rejected, and not used up", () => {
  const wrong: [string, Record<string, string | null | string[]>, [number, string]][] = [
    ["RFC 6749 §4.1.3: by another redirect_uri", { redirect_uri: `${testRedirectUri}/` }, [400, "invalid_grant"]],
    [
      "RFC 6749 §4.1.3: by a redirect_uri in another case",
      { redirect_uri: testRedirectUri.toUpperCase() },
      [400, "invalid_grant"],
    ],
    ["RFC 7636 §4.6: by a wrong code_verifier", { code_verifier: `${testVerifier}x` }, [400, "invalid_grant"]],
    [
      "RFC 7636 §4.6: by the code_challenge itself, as `plain` would have it",
      { code_verifier: createHash("sha256").update(testVerifier).digest("base64url") },
      [400, "invalid_grant"],
    ],
    ["RFC 7636 §4.1: by a code_verifier that is too short", { code_verifier: "short" }, [400, "invalid_grant"]],
    ["RFC 7636 §4.1: by a code_verifier that is too long", { code_verifier: "a".repeat(129) }, [400, "invalid_grant"]],
    ["RFC 7636 §4.5: without a code_verifier", { code_verifier: null }, [400, "invalid_request"]],
    ["RFC 8707 §2.2: for another resource", { resource: "https://other.example/api/mcp" }, [400, "invalid_target"]],
    [
      "RFC 8707 §2: for a resource with a fragment",
      { resource: "http://localhost:3000/api/mcp#x" },
      [400, "invalid_target"],
    ],
    [
      "RFC 8707 §2: for several resources of which one is another's",
      { resource: ["http://localhost:3000/api/mcp", "https://other.example"] },
      [400, "invalid_target"],
    ],
    [
      "RFC 6749 §3.2: by a parameter sent twice",
      { redirect_uri: [testRedirectUri, testRedirectUri] },
      [400, "invalid_request"],
    ],
    ["RFC 6749 §3.2: by two codes", { code: ["kbac_x", "kbac_y"] }, [400, "invalid_request"]],
    ["RFC 6749 §5.2: without a grant_type", { grant_type: null }, [400, "invalid_request"]],
    ["RFC 6749 §5.2: by a grant_type that there is not", { grant_type: "password" }, [400, "unsupported_grant_type"]],
    [
      "RFC 6749 §5.2: by the name of a property of objects as grant_type",
      { grant_type: "constructor" },
      [400, "unsupported_grant_type"],
    ],
    ["RFC 6749 §3.2.1: without a client_id", { client_id: null }, [401, "invalid_client"]],
    ["RFC 6749 §5.2: by a client that is not registered", { client_id: "nobody" }, [401, "invalid_client"]],
    ["RFC 6749 §2.3.1: by a public client that shows a secret", { client_secret: "x" }, [401, "invalid_client"]],
  ];

  it.each(wrong)("%s", { meta: { proves: ["decision.oauth.code"] } }, async (_clause, given, expected) => {
    const app = await allow();
    const answer = await redeem(setting.app, app, given);
    expect(refusal(answer)).toEqual(expected);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect((await redeem(setting.app, app)).status).toBe(200);
  });

  it("RFC 7636 §4.1: with a code_verifier that does not have 43 to 128 unreserved characters, even if its hash matches", async () => {
    const redeemed = async (verifier: string): Promise<number> => {
      const codeChallenge = createHash("sha256").update(verifier).digest("base64url");
      return (await redeem(setting.app, await allow({ codeChallenge }), { code_verifier: verifier })).status;
    };
    for (const verifier of ["a".repeat(43), "a".repeat(128), "-._~".repeat(11)])
      expect(await redeemed(verifier)).toBe(200);
    for (const verifier of ["a".repeat(42), "a".repeat(129), `${"a".repeat(43)}+`, `${"a".repeat(43)}é`]) {
      expect(await redeemed(verifier)).toBe(400);
    }
  });

  it("RFC 6749 §5.2: from another client", {
    meta: { proves: ["decision.oauth.code"] },
  }, async () => {
    const app = await allow();
    const other = await registerApp(setting.world);
    expect(refusal(await redeem(setting.app, { ...app, clientId: other }))).toEqual([400, "invalid_grant"]);
    expect((await redeem(setting.app, app)).status).toBe(200);
  });

  it("RFC 6749 §4.1.3: in a JSON body", { meta: { proves: ["decision.oauth.parameters"] } }, async () => {
    const app = await allow();
    const body = JSON.stringify({ grant_type: "authorization_code", code: app.code });
    const headers = { "Content-Type": "application/json" };
    const answer = await setting.app.request("/oauth/token", { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: "invalid_request" }]);
    expect((await redeem(setting.app, app)).status).toBe(200);
  });

  it("RFC 6749 §3.2: by GET, with parameters in the query", async () => {
    const app = await allow();
    const sent = new URLSearchParams({ grant_type: "authorization_code", client_id: app.clientId, code: app.code });
    const answer = await setting.app.request(`/oauth/token?${sent}&code_verifier=${testVerifier}`);
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
    expect((await redeem(setting.app, app)).status).toBe(200);
  });

  it("with parameters in the query of a POST: only the form counts", async () => {
    const app = await allow();
    const usual = { grant_type: "authorization_code", client_id: app.clientId, code_verifier: testVerifier };
    const answer = await sendForm(setting.app, `/oauth/token?code=${app.code}`, usual);
    expect(refusal(answer)).toEqual([400, "invalid_request"]);
  });

  it("in a form of more than 16 KB", { meta: { proves: ["decision.oauth.token-limits"] } }, async () => {
    const app = await allow();
    expect((await redeem(setting.app, app, { state: "a".repeat(17_000) })).status).toBe(413);
    expect((await redeem(setting.app, app)).status).toBe(200);
  });
});

describe("the limits of a code", () => {
  it("RFC 6749 §4.1.2: an unknown, malformed or empty code is invalid_grant", async () => {
    const app = await allow();
    for (const code of [`kbac_${"a".repeat(43)}`, "kbac_short", "x", "kbac_\u{1f40c}", `kbrt_${"a".repeat(43)}`]) {
      expect(refusal(await redeem(setting.app, { ...app, code }))).toEqual([400, "invalid_grant"]);
    }
    expect(refusal(await redeem(setting.app, { ...app, code: "" }))).toEqual([400, "invalid_request"]);
  });

  it("RFC 6749 §4.1.2: a code expires after 60 seconds", {
    meta: { proves: ["decision.oauth.lifetimes"] },
  }, async () => {
    const early = await allow();
    const late = await allow();
    setting.clock.advance(59_999);
    expect((await redeem(setting.app, early)).status).toBe(200);
    setting.clock.advance(1);
    expect(refusal(await redeem(setting.app, late))).toEqual([400, "invalid_grant"]);
  });

  it("RFC 6749 §4.1.2: a second redemption ends the grant, and is in the audit log", {
    meta: { proves: ["decision.oauth.code"] },
  }, async () => {
    const app = await allow();
    const { body } = await redeem(setting.app, app);
    expect(await holderOf(body.access_token)).not.toBeNull();
    expect(refusal(await redeem(setting.app, app))).toEqual([400, "invalid_grant"]);
    expect(await holderOf(body.access_token)).toBeNull();
    const held = { clientId: app.clientId, refreshToken: String(body.refresh_token) };
    expect(refusal(await refresh(setting.app, held))).toEqual([400, "invalid_grant"]);
    expect(await auditOf("oauth.code_reuse", app.grantId)).toEqual(["denied"]);
    expect(await auditOf("oauth.revoke", app.grantId)).toEqual(["success"]);
  });

  it("a repeated code of another client, or with a wrong verifier, ends nothing, because knowledge of a code is not enough", async () => {
    const app = await allow();
    const { body } = await redeem(setting.app, app);
    const other = await registerApp(setting.world);
    await redeem(setting.app, { ...app, clientId: other });
    await redeem(setting.app, app, { code_verifier: `${testVerifier}x` });
    await redeem(setting.app, app, { redirect_uri: "https://evil.example" });
    expect(await holderOf(body.access_token)).not.toBeNull();
  });

  it("a code of a user who was suspended in the meantime returns no token", {
    meta: { proves: ["decision.oauth.ends"] },
  }, async () => {
    const app = await allow();
    const { service, teamId, people } = setting.world;
    const suspend = (suspendedAt: Date | null) =>
      service.database.client.user.update({
        where: { teamId_id: { teamId, id: people.editor.id } },
        data: { suspendedAt },
      });
    await suspend(new Date());
    const refused = await redeem(setting.app, app);
    await suspend(null);
    expect(refusal(refused)).toEqual([400, "invalid_grant"]);
  });
});

describe("clients authenticate themselves", () => {
  const secret = "a secret of the client's: with, signs & spaces";
  const confidential = async (authentication: string): Promise<string> => {
    const id = newId();
    const metadata = { redirectUris: [testRedirectUri], authentication, clientUri: null };
    await setting.world.service.database.client.oauthClient.create({
      data: { id, name: "Server", kind: "dynamic", metadata, secretHash: hashToken(secret) },
    });
    return id;
  };
  const basic = (id: string, password: string) => {
    const pair = [id, password].map((text) => encodeURIComponent(text).replaceAll("%20", "+")).join(":");
    return { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
  };

  it("RFC 6749 §2.3.1: by Basic, or in the form", {
    meta: { proves: ["decision.oauth.client-authentication"] },
  }, async () => {
    const one = await confidential("client_secret_basic");
    const other = await confidential("client_secret_post");
    const inHeader = await redeem(setting.app, await allow({ clientId: one }), { client_id: null }, basic(one, secret));
    const inForm = await redeem(setting.app, await allow({ clientId: other }), { client_secret: secret });
    expect([inHeader.status, inForm.status]).toEqual([200, 200]);
  });

  it("RFC 6749 §3.2.1: a client with a secret is rejected without it, and nothing is used up", async () => {
    const clientId = await confidential("client_secret_basic");
    const app = await allow({ clientId });
    expect(refusal(await redeem(setting.app, app))).toEqual([401, "invalid_client"]);
    expect(refusal(await redeem(setting.app, app, { client_secret: "wrong" }))).toEqual([401, "invalid_client"]);
    const tried = await redeem(setting.app, app, {}, basic(clientId, "wrong"));
    expect(refusal(tried)).toEqual([401, "invalid_client"]);
    // RFC 6749 §5.2: the scheme that the client used.
    expect(tried.headers.get("WWW-Authenticate")).toMatch(/^Basic /);
    expect((await redeem(setting.app, app, {}, basic(clientId, secret))).status).toBe(200);
  });

  it("RFC 6749 §2.3: with only one method at once", async () => {
    const clientId = await confidential("client_secret_post");
    const app = await allow({ clientId });
    const twice = await redeem(setting.app, app, { client_secret: secret }, basic(clientId, secret));
    expect(refusal(twice)).toEqual([400, "invalid_request"]);
  });

  it("a deleted client gets 401 invalid_client, so that it registers again", {
    meta: { proves: ["decision.oauth.deleted-client"] },
  }, async () => {
    const app = await connect();
    await setting.world.service.database.client.oauthClient.delete({ where: { id: app.clientId } });
    expect(refusal(await refresh(setting.app, app))).toEqual([401, "invalid_client"]);
    expect(await holderOf(app.accessToken)).toBeNull();
  });

  it("60 requests a minute per client and address; the next is 429 with Retry-After", {
    meta: { proves: ["decision.oauth.token-limits"] },
  }, async () => {
    const app = await allow();
    const answers = [];
    for (let count = 0; count < 61; count += 1) answers.push(await redeem(setting.app, { ...app, code: "x" }));
    expect(answers.slice(0, 60).map(refusal)).toEqual(answers.slice(0, 60).map(() => [400, "invalid_grant"]));
    const last = answers[60];
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get("Retry-After"))).toBeGreaterThan(0);
    const other = await allow();
    expect((await redeem(setting.app, other)).status).toBe(200);
    setting.clock.advance(60_000);
    expect(refusal(await redeem(setting.app, { ...app, code: "x" }))).toEqual([400, "invalid_grant"]);
  });

  it("unknown clients share one limit", { meta: { proves: ["decision.oauth.token-limits"] } }, async () => {
    const app = await allow();
    const statuses = [];
    for (let count = 0; count < 61; count += 1) {
      statuses.push((await redeem(setting.app, { ...app, clientId: `nobody-${count}` })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 401), 429]);
  });
});

describe("a refresh token", () => {
  const next = (app: ConnectedApp, { body }: Answer): ConnectedApp => ({
    ...app,
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
  });

  it("RFC 9700 §4.14.2: rotates with each use, and the previous access token remains valid", {
    meta: { proves: ["decision.oauth.refresh"] },
  }, async () => {
    const app = await connect();
    const answer = await refresh(setting.app, app);
    const after = next(app, answer);
    expect(answer.status).toBe(200);
    expect(after.refreshToken).toMatch(/^kbrt_[\w-]{43}$/);
    expect(after.refreshToken).not.toBe(app.refreshToken);
    expect([answer.headers.get("Cache-Control"), answer.body.expires_in]).toEqual(["no-store", 3600]);
    for (const token of [app.accessToken, after.accessToken]) expect(await holderOf(token)).not.toBeNull();
    expect((await refresh(setting.app, after)).status).toBe(200);
  });

  it("returns the same successor and another access token if the response was lost", {
    meta: { proves: ["decision.oauth.refresh"] },
  }, async () => {
    const app = await connect();
    const first = await refresh(setting.app, app);
    // However late, as long as the successor was not used.
    setting.clock.advance(3 * 24 * 3600 * 1000);
    const second = await refresh(setting.app, app);
    expect(second.body.refresh_token).toBe(first.body.refresh_token);
    expect(second.body.access_token).not.toBe(first.body.access_token);
    expect(await holderOf(second.body.access_token)).not.toBeNull();
    expect((await refresh(setting.app, next(app, second))).status).toBe(200);
  });

  it("returns the same successor within 60 s even if that was used, because requests can overtake each other", {
    meta: { proves: ["decision.oauth.refresh"] },
  }, async () => {
    const app = await connect();
    const first = await refresh(setting.app, app);
    expect((await refresh(setting.app, next(app, first))).status).toBe(200);
    setting.clock.advance(60_000);
    const again = await refresh(setting.app, app);
    expect([again.status, again.body.refresh_token]).toEqual([200, first.body.refresh_token]);
  });

  it("ends its grant if it is used again later, which the audit log records, because two clients hold it", {
    meta: { proves: ["decision.oauth.refresh"] },
  }, async () => {
    const app = await connect();
    const first = next(app, await refresh(setting.app, app));
    const second = next(app, await refresh(setting.app, first));
    setting.clock.advance(60_001);
    expect(refusal(await refresh(setting.app, app))).toEqual([400, "invalid_grant"]);
    expect(refusal(await refresh(setting.app, second))).toEqual([400, "invalid_grant"]);
    for (const { accessToken } of [app, first, second]) expect(await holderOf(accessToken)).toBeNull();
    expect(await auditOf("oauth.refresh_reuse", app.grantId)).toEqual(["denied"]);
    expect(await auditOf("oauth.revoke", app.grantId)).toEqual(["success"]);
  });

  it("RFC 6749 §10.4: is bound to its client; another client can neither use nor end it", async () => {
    const app = await connect();
    const other = await registerApp(setting.world);
    expect(refusal(await refresh(setting.app, { ...app, clientId: other }))).toEqual([400, "invalid_grant"]);
    const rotated = next(app, await refresh(setting.app, app));
    expect((await refresh(setting.app, rotated)).status).toBe(200);
    setting.clock.advance(60_001);
    expect(refusal(await refresh(setting.app, { ...app, clientId: other }))).toEqual([400, "invalid_grant"]);
    expect(await holderOf(rotated.accessToken)).not.toBeNull();
  });

  it("RFC 6749 §6: can narrow the scope of one access token, and never widen it", {
    meta: { proves: ["decision.oauth.refresh"] },
  }, async () => {
    const app = await connect({ scopes: ["read", "write"] });
    const narrow = await refresh(setting.app, app, { scope: "read" });
    expect(narrow.body.scope).toBe("read");
    expect((await holderOf(narrow.body.access_token))?.scopes).toEqual(new Set(["read"]));
    const whole = await refresh(setting.app, next(app, narrow));
    expect(whole.body.scope).toBe("read write");
    const reader = await connect({ scopes: ["read"] });
    for (const scope of ["read write", "write", "write offline_access"]) {
      expect(refusal(await refresh(setting.app, reader, { scope }))).toEqual([400, "invalid_scope"]);
    }
    // Unknown ones are dropped, admin among them.
    for (const scope of ["read admin", "offline_access", "admin"]) {
      const answer = await refresh(setting.app, reader, { scope });
      expect([answer.status, answer.body.scope]).toEqual([200, "read"]);
    }
  });

  it("RFC 8707 §2.2: returns no tokens for another resource", async () => {
    const app = await connect();
    const other = { resource: "https://other.example/api/mcp" };
    expect(refusal(await refresh(setting.app, app, other))).toEqual([400, "invalid_target"]);
    expect((await refresh(setting.app, app)).status).toBe(200);
  });

  it("lasts 30 days from each use, and at most 180 days in total", {
    meta: { proves: ["decision.oauth.lifetimes"] },
  }, async () => {
    const day = 24 * 3600 * 1000;
    const idle = await connect();
    setting.clock.advance(30 * day);
    expect(refusal(await refresh(setting.app, idle))).toEqual([400, "invalid_grant"]);
    let app = await connect();
    for (let days = 0; days < 174; days += 29) {
      setting.clock.advance(29 * day);
      const answer = await refresh(setting.app, app);
      expect(answer.status).toBe(200);
      app = next(app, answer);
    }
    setting.clock.advance(6 * day - 1_000);
    const last = await refresh(setting.app, app);
    // An access token does not outlast what it stands on.
    expect([last.status, last.body.expires_in]).toEqual([200, 1]);
    setting.clock.advance(1_000);
    expect(refusal(await refresh(setting.app, next(app, last)))).toEqual([400, "invalid_grant"]);
    expect(await holderOf(last.body.access_token)).toBeNull();
  });

  it("returns no successor after its own expiry, even if the response was lost; its successor remains valid", {
    meta: { proves: ["decision.oauth.lifetimes"] },
  }, async () => {
    const day = 24 * 3600 * 1000;
    const app = await connect();
    setting.clock.advance(30 * day - 1);
    const first = await refresh(setting.app, app);
    expect((await refresh(setting.app, app)).body.refresh_token).toBe(first.body.refresh_token);
    setting.clock.advance(1);
    expect(refusal(await refresh(setting.app, app))).toEqual([400, "invalid_grant"]);
    expect((await refresh(setting.app, next(app, first))).status).toBe(200);
  });

  it("is not accepted as an access token, nor an access token as a refresh token", {
    meta: { proves: ["decision.oauth.tokens"] },
  }, async () => {
    const app = await connect();
    expect(await holderOf(app.refreshToken)).toBeNull();
    const wrongKind = { ...app, refreshToken: app.accessToken };
    expect(refusal(await refresh(setting.app, wrongKind))).toEqual([400, "invalid_grant"]);
    expect(refusal(await refresh(setting.app, app, { refresh_token: null }))).toEqual([400, "invalid_request"]);
  });
});

describe("an access token", () => {
  it("is valid for an hour", { meta: { proves: ["decision.oauth.lifetimes"] } }, async () => {
    const { accessToken } = await connect();
    setting.clock.advance(3_599_999);
    expect(await holderOf(accessToken)).not.toBeNull();
    setting.clock.advance(1);
    expect(await holderOf(accessToken)).toBeNull();
  });

  it("RFC 8707: is valid only for the server that it was granted for", async () => {
    const { accessToken } = await connect();
    expect(await holderOf(accessToken, "https://other.example/api/mcp")).toBeNull();
  });

  it("of a suspended user is rejected, even if the grant still exists", {
    meta: { proves: ["decision.oauth.ends"] },
  }, async () => {
    const { accessToken } = await connect();
    const { service, teamId, people } = setting.world;
    const suspend = (suspendedAt: Date | null) =>
      service.database.client.user.update({
        where: { teamId_id: { teamId, id: people.editor.id } },
        data: { suspendedAt },
      });
    await suspend(new Date());
    const holder = await holderOf(accessToken);
    await suspend(null);
    expect([holder, await holderOf(accessToken)]).toEqual([null, expect.objectContaining({ teamId })]);
  });

  it("is rejected if it is unknown, malformed, or has one changed character", async () => {
    const { accessToken } = await connect();
    const changed = accessToken.slice(0, -2) + (accessToken.at(-2) === "a" ? "b" : "a") + accessToken.slice(-1);
    for (const token of [changed, `${accessToken}a`, accessToken.slice(0, -1), accessToken.toUpperCase(), "kbat_"]) {
      expect(await holderOf(token)).toBeNull();
    }
  });

  it("the last use of the grant and of the app is recorded at most once a minute", {
    meta: { proves: ["oauth.apps"] },
  }, async () => {
    const app = await connect();
    const { client } = setting.world.service.database;
    const { teamId } = setting.world;
    const seen = async () => {
      const where = { teamId_id: { teamId, id: app.grantId } };
      const grant = await client.oauthGrant.findUniqueOrThrow({ where });
      const registered = await client.oauthClient.findUniqueOrThrow({ where: { id: app.clientId } });
      return [grant.lastUsedAt?.getTime(), registered.lastUsedAt?.getTime()];
    };
    const connectedAt = setting.clock.now().getTime();
    setting.clock.advance(59_999);
    await holderOf(app.accessToken);
    expect(await seen()).toEqual([connectedAt, connectedAt]);
    setting.clock.advance(1);
    await holderOf(app.accessToken);
    expect(await seen()).toEqual([connectedAt + 60_000, connectedAt + 60_000]);
  });
});

/** The outcomes of the entries about a grant. */
async function auditOf(action: string, grantId: string): Promise<string[]> {
  const { service, teamId } = setting.world;
  await flushAudit(service);
  const where = { teamId, action, targetId: grantId };
  return (await service.database.client.auditEntry.findMany({ where })).map(({ outcome }) => outcome);
}
