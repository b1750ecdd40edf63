import type { Limiter } from "@kb/runtime";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { as, edgeOf, operationOf } from "../test/edge.ts";
import { route } from "./route.ts";

const section = "Test";
const ok = operationOf(z.strictObject({ query: z.string().optional() }), z.object({ fine: z.boolean() }), () => ({
  fine: true,
}));
const rows = [route("get", "/api/v1/search", ok, { section }), route("post", "/api/v1/tags", ok, { section })];

describe("credentials", () => {
  it("every path below /api returns 401 authentication_required with WWW-Authenticate: Bearer without credentials", async () => {
    const { app } = edgeOf(rows);
    for (const target of ["/api/v1/search", "/api/v1/unknown", "/api", "/api/x.y"]) {
      for (const headers of [{}, { Authorization: "" }, { Authorization: "  " }]) {
        const response = await app.request(target, { headers });
        expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
        expect(await response.json()).toMatchObject({ code: "authentication_required" });
      }
    }
  });

  it.each(["Bearer bad", "Bearer", "Basic Z29vZA==", "good", "Bearer good extra", "Bearer go\u00f6d", "Bearergood"])(
    "Authorization: %s is 401 invalid_api_key",
    async (header) => {
      const { app } = edgeOf(rows);
      const response = await app.request("/api/v1/search", { headers: { Authorization: header } });
      expect([response.status, response.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
      expect(await response.json()).toMatchObject({ code: "invalid_api_key" });
    },
  );

  it("a missing scheme is reported as such, not as an invalid key", async () => {
    const { app } = edgeOf(rows);
    const response = await app.request("/api/v1/search", { headers: { Authorization: "good" } });
    expect(await response.json()).toMatchObject({ error: expect.stringContaining("must read: Bearer") });
  });

  it.each(["Bearer good", "bearer good", "BEARER  good "])("Authorization: %s is accepted", async (header) => {
    const { app } = edgeOf(rows);
    expect((await app.request("/api/v1/search", { headers: { Authorization: header } })).status).toBe(200);
  });
});

describe("every response", () => {
  it("has a request id: that of the client if it is safe, otherwise a generated one", async () => {
    const { app } = edgeOf(rows);
    const idFor = async (id: string): Promise<string | null> =>
      (await app.request("/api/v1/search", as("good", { headers: { "X-Request-Id": id } }))).headers.get(
        "X-Request-Id",
      );
    for (const id of ["a", "A-1_b.c", "x".repeat(128)]) expect(await idFor(id)).toBe(id);
    for (const id of ["", "x".repeat(129), "a b", "a;b", "é"]) expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/);
    expect((await app.request("/nothing")).headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("has the headers that forbid scripts, frames and content sniffing", async () => {
    const { app } = edgeOf(rows);
    for (const response of [await app.request("/api/v1/search", as("good")), await app.request("/api/v1/search")]) {
      expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(response.headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
    }
  });

  it("is private: no shared cache may store it, and an error is never stored", async () => {
    const { app } = edgeOf(rows);
    const good = await app.request("/api/v1/search", as("good"));
    expect([good.headers.get("Cache-Control"), good.headers.get("Vary")]).toEqual([
      "private, no-cache",
      "Authorization, Cookie",
    ]);
    expect((await app.request("/api/v1/search")).headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("the log", () => {
  it("has one line per request, with its caller, route and duration", async () => {
    const { app, lines } = edgeOf(rows);
    await app.request("/api/v1/search?query=x", as("good", { headers: { "X-Request-Id": "r1" } }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      requestId: "r1",
      method: "GET",
      route: "/api/v1/search",
      status: 200,
      operation: "things.test",
      credentialId: "key-good",
      credentialKind: "api_key",
    });
    expect(lines[0]?.durationMs).toEqual(expect.any(Number));
  });

  it("contains no token, query text or body, and no part of an unknown path", async () => {
    const { app, lines } = edgeOf(rows);
    await app.request("/api/v1/search?query=Redundancies", as("good"));
    await app.request("/api/v1/tags", as("good", { json: { query: "Redundancies" } }));
    await app.request("/api/v1/tags", as("good", { json: { Redundancies: 1 } }));
    await app.request("/api/v1/kb_Redundancies", as("good"));
    await app.request("/api/v1/search", as("kb_Redundancies"));
    expect(lines).toHaveLength(5);
    const text = JSON.stringify(lines);
    expect(text).not.toContain("Redundancies");
    expect(text).not.toContain("Bearer");
    expect(text).not.toContain('good"}');
  });
});

describe("the rate limit", () => {
  const headersOf = (response: Response) =>
    ["X-RateLimit-Limit", "X-RateLimit-Remaining", "Retry-After"].map((name) => response.headers.get(name));

  it("counts the credentials of one user together, and each user separately", {
    meta: { proves: ["decision.access.rate-limit"] },
  }, async () => {
    const { app } = edgeOf(rows, { perMinute: 3 });
    expect(headersOf(await app.request("/api/v1/search", as("good")))).toEqual(["3", "2", null]);
    expect(headersOf(await app.request("/api/v1/search", as("other")))).toEqual(["3", "1", null]);
    expect(headersOf(await app.request("/api/v1/search", as("else")))).toEqual(["3", "2", null]);
  });

  it("returns 429 above the limit, with Retry-After in whole seconds and the same number in the body", {
    meta: { proves: ["errors.rate-limit", "errors.rate-limit.headers", "errors.rate-limit.body"] },
  }, async () => {
    const { app } = edgeOf(rows, { perMinute: 1 });
    await app.request("/api/v1/search", as("good"));
    const response = await app.request("/api/v1/search", as("good"));
    expect(response.status).toBe(429);
    expect(headersOf(response)).toEqual(["1", "0", "60"]);
    expect(await response.json()).toEqual({
      error: "Too many requests: 1 a minute are allowed.",
      code: "rate_limited",
      retryAfterSeconds: 60,
    });
  });

  it("its headers are on every response below /api, including refusals and errors", async () => {
    const { app } = edgeOf(rows, { perMinute: 50 });
    const answers = [
      await app.request("/api/v1/search", as("good")),
      await app.request("/api/v1/search", as("bad")),
      await app.request("/api/v1/search"),
      await app.request("/api/v1/nothing", as("good")),
      await app.request("/api/v1/search?x=1", as("good")),
      await app.request("/api/v1/search", as("good", { method: "DELETE" })),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 401, 401, 404, 400, 405]);
    for (const answer of answers) {
      expect(answer.headers.get("X-RateLimit-Limit")).toBe("50");
      const reset = Number(answer.headers.get("X-RateLimit-Reset")) - Date.now() / 1000;
      expect(reset).toBeGreaterThan(58);
      expect(reset).toBeLessThanOrEqual(61);
    }
  });

  it("counts unauthenticated requests by client address, IPv6 addresses by their network", async () => {
    const { app } = edgeOf(rows, { perMinute: 2 });
    const from = async (remoteAddress: string, token: string | null = null): Promise<number> =>
      (await app.request("/api/v1/search", as(token), { incoming: { socket: { remoteAddress } } })).status;
    expect(await from("203.0.113.7")).toBe(401);
    expect(await from("203.0.113.7", "bad")).toBe(401);
    expect(await from("203.0.113.7")).toBe(429);
    expect(await from("203.0.113.8")).toBe(401);
    expect(await from("203.0.113.7", "good")).toBe(200);
    expect(await from("2001:db8::1")).toBe(401);
    expect(await from("2001:db8::2")).toBe(401);
    expect(await from("2001:db8::3")).toBe(429);
  });

  it("does not count requests outside /api", async () => {
    const counted = () => Promise.reject(new Error("counted"));
    const untouched: Limiter = { take: counted, spend: counted };
    const { app } = edgeOf(rows, { limiter: untouched });
    expect((await app.request("/docs")).status).toBe(404);
  });

  it("rounds Retry-After up, so that a client that waits succeeds", async () => {
    const take: Limiter["take"] = async () => ({ allowed: false, remaining: 0, resetMs: 1_001 });
    const limiter: Limiter = { take, spend: async () => {} };
    const { app } = edgeOf(rows, { limiter, perMinute: 5 });
    const response = await app.request("/api/v1/search", as("good"));
    expect(headersOf(response)).toEqual(["5", "0", "2"]);
  });
});
