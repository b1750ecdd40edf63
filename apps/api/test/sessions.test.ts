import { admin, flushAudit } from "@kb/core";
import type { SessionCredential } from "@kb/core/testing";
import type { ApiClient, Failure, Many, One } from "@kb/http/testing";
import { testClock } from "@kb/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Me = { user: { id: string; capabilities: string[] }; team: { id: string; name: string }; csrfToken: string };
type LogIn = { id: string; current: boolean; address: string | null; lastSeenAt: string };

const origin = "http://localhost:3000";
const password = "a password of a length";

describe("a browser session at the API", () => {
  const clock = testClock();
  let setting: Setting;
  let session: SessionCredential;
  let client: ApiClient;
  beforeAll(async () => {
    setting = await openSetting({ clock });
    await admin.setPassword(setting.world.service, setting.world.people.member.email, password);
  });
  beforeEach(async () => {
    // Failures at the present password count for a quarter of an hour.
    clock.advance(15 * 60_000);
    session = await setting.world.session(setting.world.people.member);
    client = setting.as(null).as(session);
  });
  afterAll(() => setting.close());

  /** A request that carries the cookie and only what is given besides. */
  const withCookie = (method: string, path: string, headers: Record<string, string>, json?: unknown) =>
    setting.as(null).send<Failure & Me>(method, path, { json, headers: { Cookie: session.cookie, ...headers } });

  it("has exactly the permissions of its user", { meta: { proves: ["decision.access.sessions"] } }, async () => {
    const { world } = setting;
    expect((await client.get<object>("/api/v1/documents")).status).toBe(200);
    const created = await client.post<object>("/api/v1/documents", { collectionId: world.collections.open });
    expect(created.status).toBe(201);
    expect((await client.post("/api/v1/collections", { name: "x" })).body).toMatchObject({ code: "forbidden" });
  });

  it("the CSRF token is accepted as X-CSRF-Token or as the field csrf, which is not part of the input", {
    meta: { proves: ["decision.access.csrf"] },
  }, async () => {
    const { collections } = setting.world;
    const send = (csrf: unknown) =>
      withCookie("POST", "/api/v1/documents", { Origin: origin }, { collectionId: collections.open, csrf });
    expect((await send(session.csrf)).status).toBe(201);
    for (const wrong of ["", `${session.csrf}x`, null, 1, [session.csrf]]) {
      expect(await send(wrong)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
    const foreign = await withCookie(
      "POST",
      "/api/v1/documents",
      { Origin: "https://evil.example" },
      { csrf: session.csrf },
    );
    expect(foreign.status).toBe(403);
  });

  it.each<[string, { Origin?: string; csrf?: "own" | "foreign" }]>([
    ["another site", { Origin: "https://evil.example" }],
    ["another site with the token", { Origin: "https://evil.example", csrf: "own" }],
    ["a page that hides where it is", { Origin: "null", csrf: "own" }],
    ["nobody says which page", { csrf: "own" }],
    ["an own page without the token", { Origin: origin }],
    ["an own page with the token of another log-in", { Origin: origin, csrf: "foreign" }],
    ["an address that only begins like this one", { Origin: `${origin}.evil.example`, csrf: "own" }],
  ])(
    "a change that %s sends is refused, and nothing changes",
    { meta: { proves: ["decision.access.csrf"] } },
    async (_, sent) => {
      const foreign = await setting.world.session(setting.world.people.member);
      const tokens = { own: session.csrf, foreign: foreign.csrf };
      const headers: Record<string, string> = {};
      if (sent.Origin !== undefined) headers.Origin = sent.Origin;
      if (sent.csrf !== undefined) headers["X-CSRF-Token"] = tokens[sent.csrf];
      const before = await setting.database.client.document.count({ where: { teamId: setting.world.teamId } });
      const body = { collectionId: setting.world.collections.open };
      for (const [method, path] of [
        ["POST", "/api/v1/documents"],
        ["PATCH", `/api/v1/documents/${setting.world.documents.guide.id}`],
        ["DELETE", `/api/v1/documents/${setting.world.documents.guide.id}`],
        ["POST", "/api/auth.sessions.revoke"],
        ["POST", "/api/nothing"],
      ] as const) {
        const reply = await withCookie(method, path, headers, body);
        expect(reply, `${method} ${path}`).toMatchObject({ status: 403, body: { code: "forbidden" } });
      }
      expect(await setting.database.client.document.count({ where: { teamId: setting.world.teamId } })).toBe(before);
    },
  );

  it("a refused change is in the audit log", { meta: { proves: ["decision.audit.denials"] } }, async () => {
    const headers = { Origin: "https://evil.example", "X-Request-Id": "sent-by-evil" };
    await withCookie("POST", "/api/v1/documents", headers, {});
    await flushAudit(setting.world.service);
    const [entry] = await setting.database.client.auditEntry.findMany({
      where: { teamId: setting.world.teamId, requestId: "sent-by-evil" },
    });
    const userId = setting.world.people.member.id;
    expect(entry).toMatchObject({ action: "session.refused", outcome: "denied", userId, credentialId: session.id });
  });

  it("reading needs only the cookie", { meta: { proves: ["decision.access.csrf"] } }, async () => {
    expect((await withCookie("GET", "/api/v1/me", {})).status).toBe(200);
    expect((await withCookie("GET", "/api/v1/me", { Origin: "https://evil.example" })).status).toBe(200);
  });

  it("the key takes precedence over the cookie", async () => {
    const { viewer } = setting.world.people;
    const reply = await withCookie("GET", "/api/v1/me", { Authorization: `Bearer ${viewer.key}` });
    expect(reply.body).toMatchObject({ data: { id: viewer.id } });
    expect((await withCookie("GET", "/api/v1/me", { Authorization: "Bearer kb_x" })).body.code).toBe("invalid_api_key");
  });

  it("an ended session and an unknown cookie are 401", async () => {
    for (const cookie of ["kb_session=x", `kb_session=${"a".repeat(43)}`, `__Host-kb_session=${session.token}`]) {
      const reply = await setting.as(null).get("/api/v1/me", { Cookie: cookie });
      expect(reply).toMatchObject({ status: 401, body: { code: "authentication_required" } });
    }
  });

  it("counts in a window of its own, so that the user's keys keep theirs", {
    meta: { proves: ["decision.access.rate-limit"] },
  }, async () => {
    const left = (headers: Headers) => Number(headers.get("X-RateLimit-Remaining"));
    const byKey = setting.as(setting.world.people.member);
    const before = await byKey.get<object>("/api/v1/me");
    const first = await client.get<object>("/api/v1/me");
    const second = await client.get<object>("/api/v1/me");
    const after = await byKey.get<object>("/api/v1/me");
    expect(left(first.headers) - left(second.headers)).toBe(1);
    expect(left(before.headers) - left(after.headers)).toBe(1);
  });

  it("auth.me returns the user and the CSRF token, and needs no CSRF token itself", {
    meta: { proves: ["decision.access.csrf"] },
  }, async () => {
    const { member } = setting.world.people;
    const { status, body } = await withCookie("POST", "/api/auth.me", {});
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          user: expect.objectContaining({ id: member.id, email: member.email }),
          profile: expect.objectContaining({ name: member.name, language: null, theme: null }),
          team: { id: setting.world.teamId, name: expect.any(String), mcpEnabled: false },
          csrfToken: session.csrf,
        },
      },
    });
    expect((await withCookie("POST", "/api/auth.me", { Origin: "https://evil.example" })).status).toBe(403);
    const headers = { Origin: origin, "X-CSRF-Token": session.csrf };
    const revoked = await withCookie("POST", "/api/auth.sessions.revoke", headers, { id: session.id });
    expect(revoked.status).toBe(200);
    expect((await withCookie("POST", "/api/auth.me", {})).status).toBe(401);
  });

  it.each(["auth.me", "auth.changePassword", "auth.sessions.list", "auth.sessions.revoke"])(
    "%s is only for people in the app: a key is 403, an unauthenticated request 401",
    async (name) => {
      const key = setting.as(await setting.world.key(setting.world.people.admin, ["admin"]));
      expect(await key.post(`/api/${name}`, {})).toMatchObject({ status: 403, body: { code: "forbidden" } });
      expect((await setting.as(null).post(`/api/${name}`, {})).status).toBe(401);
    },
  );

  it("auth.sessions.list returns the user's own sessions and marks the current one; sessions of others cannot be ended", async () => {
    const { member, admin: boss } = setting.world.people;
    const other = await setting.world.session(member);
    const foreign = await setting.world.session(boss);
    const { data } = (await client.post<Many<LogIn>>("/api/auth.sessions.list", {})).body;
    expect(data.filter((logIn) => logIn.current).map((logIn) => logIn.id)).toEqual([session.id]);
    expect(data.map((logIn) => logIn.id)).toContain(other.id);
    expect(data.map((logIn) => logIn.id)).not.toContain(foreign.id);
    const others = { id: foreign.id };
    const missing = await client.post("/api/auth.sessions.revoke", others);
    expect(missing).toEqual({
      ...(await client.post("/api/auth.sessions.revoke", { id: unknownId })),
      headers: missing.headers,
    });
    expect(missing.status).toBe(404);
    expect((await client.post<object>("/api/auth.sessions.revoke", { id: other.id })).status).toBe(200);
    expect((await client.as(other).get("/api/v1/me")).status).toBe(401);
    expect((await client.as(foreign).get<object>("/api/v1/me")).status).toBe(200);
  });

  it("auth.changePassword ends every other session, and only the new password remains valid", {
    meta: { proves: ["decision.access.sessions-password"] },
  }, async () => {
    const { member } = setting.world.people;
    const other = await setting.world.session(member);
    const next = "another password of a length";
    const wrong = await client.post("/api/auth.changePassword", { currentPassword: "no", newPassword: next });
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: "currentPassword" }] } });
    expect((await client.as(other).get<object>("/api/v1/me")).status).toBe(200);
    const changed = { currentPassword: password, newPassword: next };
    expect((await client.post<One<object>>("/api/auth.changePassword", changed)).status).toBe(200);
    expect((await client.as(other).get("/api/v1/me")).status).toBe(401);
    expect((await client.get<object>("/api/v1/me")).status).toBe(200);
    expect((await setting.as(member).get<object>("/api/v1/me")).status).toBe(200);
    const back = { currentPassword: next, newPassword: password };
    expect((await client.post<One<object>>("/api/auth.changePassword", back)).status).toBe(200);
  });

  it("a stolen session cannot guess the present password: at most ten attempts in 15 minutes, even concurrently", {
    meta: { proves: ["decision.access.log-in-throttle"] },
  }, async () => {
    const guess = (index: number) =>
      client.post("/api/auth.changePassword", { currentPassword: `guess ${index}`, newPassword: "long enough" });
    const replies = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(index)));
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(400), count(429)]).toEqual([10, 20]);
    const right = { currentPassword: password, newPassword: "long enough" };
    const refused = await client.post("/api/auth.changePassword", right);
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", retryAfterSeconds: 900 } });
  });

  it("a password set on the command line, and a suspension, end every session with the next request", {
    meta: { proves: ["decision.access.sessions-password", "decision.access.sessions"] },
  }, async () => {
    const { service } = setting.world;
    const { editor, viewer } = setting.world.people;
    const one = await setting.world.session(editor);
    const two = await setting.world.session(viewer);
    expect((await client.as(one).get<object>("/api/v1/me")).status).toBe(200);
    await admin.setPassword(service, editor.email, "set by an administrator");
    expect((await client.as(one).get("/api/v1/me")).status).toBe(401);
    expect((await client.as(two).get<object>("/api/v1/me")).status).toBe(200);
    await admin.suspendUser(service, viewer.email);
    expect((await client.as(two).get("/api/v1/me")).status).toBe(401);
    expect((await setting.as(viewer).get("/api/v1/me")).status).toBe(401);
  });

  it("a response or a request with a secret is not stored for a retry", async () => {
    const headers = { "Idempotency-Key": "again" };
    const refused = await client.post("/api/auth.changePassword", {}, headers);
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: "Idempotency-Key" }] } });
  });
});
