import type { Failure } from "@kb/http/testing";
import { connectRedis, createLogger, processLimiter, redisLimiter } from "@kb/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("the rate limit", () => {
  let now = 0;
  let setting: Setting;
  beforeAll(async () => {
    const limiter = processLimiter({ now: () => now });
    setting = await openSetting({ perMinute: 100, limiter, trustedProxies: ["127.0.0.1"] });
  });
  afterAll(() => setting.close());

  const remaining = (headers: Headers): number => Number(headers.get("X-RateLimit-Remaining"));

  it("a user has 100 requests a minute for all their credentials together", {
    meta: { proves: ["limits.request-rate", "errors.rate-limit", "decision.access.rate-limit"] },
  }, async () => {
    const { member } = setting.world.people;
    const other = await setting.world.key(member, ["read"]);
    for (let count = 1; count <= 100; count += 1) {
      const { status, headers } = await setting.as(count % 2 === 0 ? member : other).get<object>("/api/v1/me");
      expect(status).toBe(200);
      expect(headers.get("X-RateLimit-Limit")).toBe("100");
      expect(remaining(headers)).toBe(100 - count);
    }
    const { status } = await setting.as(other).get("/api/v1/me");
    expect(status).toBe(429);
    expect((await setting.as(setting.world.people.viewer).get<object>("/api/v1/me")).status).toBe(200);
  });

  it("a response above the limit contains the time to wait", {
    meta: { proves: ["errors.rate-limit.headers", "errors.rate-limit.body"] },
  }, async () => {
    now += 30_000.5;
    const { status, headers, body } = await setting.as(setting.world.people.member).get<Failure>("/api/v1/me");
    expect({ status, body }).toEqual({
      status: 429,
      body: { error: expect.any(String), code: "rate_limited", retryAfterSeconds: 30 },
    });
    expect(headers.get("X-RateLimit-Limit")).toBe("100");
    expect(headers.get("X-RateLimit-Remaining")).toBe("0");
    expect(headers.get("Retry-After")).toBe("30");
    expect(headers.get("X-RateLimit-Reset")).toMatch(/^\d+$/);
    now += 30_000;
    expect((await setting.as(setting.world.people.member).get<object>("/api/v1/me")).status).toBe(200);
  });

  it("the window slides: a request stops counting as it leaves the window", {
    meta: { proves: ["limits.request-rate"] },
  }, async () => {
    const editor = setting.as(setting.world.people.editor);
    for (let count = 0; count < 50; count += 1) await editor.get<object>("/api/v1/me");
    now += 40_000;
    for (let count = 0; count < 50; count += 1) await editor.get<object>("/api/v1/me");
    expect((await editor.get("/api/v1/me")).status).toBe(429);
    now += 20_000;
    const { status, headers } = await editor.get<object>("/api/v1/me");
    expect([status, remaining(headers)]).toEqual([200, 49]);
    now += 60_000;
  });

  it("exactly 100 of 150 concurrent requests are allowed", { meta: { proves: ["limits.request-rate"] } }, async () => {
    const admin = setting.as(setting.world.people.admin);
    const replies = await Promise.all(Array.from({ length: 150 }, () => admin.get<object>("/api/v1/me")));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(100);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(50);
  });

  it("errors count too, and have the same headers", { meta: { proves: ["decision.access.rate-limit"] } }, async () => {
    const outsider = setting.as(setting.world.people.outsider);
    const first = await outsider.get("/api/v1/nothing");
    const second = await outsider.post("/api/v1/documents", {});
    expect([first.status, second.status]).toEqual([404, 400]);
    expect(remaining(first.headers) - remaining(second.headers)).toBe(1);
  });

  it("every response has the headers, whatever its status", {
    meta: { proves: ["decision.access.rate-limit"] },
  }, async () => {
    now += 120_000;
    const viewer = setting.as(setting.world.people.viewer);
    const guide = `/api/v1/documents/${setting.world.documents.guide.id}`;
    const replies = [
      await viewer.get<object>(guide),
      await viewer.get<undefined>(guide, { "If-None-Match": "*" }),
      await viewer.patch(guide, { title: "x" }),
      await viewer.get("/api/v1/documents/x"),
      await viewer.send("PUT", guide),
      await viewer.send("PATCH", guide, { raw: "x", headers: { "Content-Type": "text/plain" } }),
      await setting.as(null).get("/api/v1/me"),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 304, 403, 404, 405, 415, 401]);
    for (const { headers } of replies) {
      for (const name of ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]) {
        expect(headers.get(name)).toMatch(/^\d+$/);
      }
    }
    now += 60_000;
  });

  it("unauthenticated requests count by client address", {
    meta: { proves: ["limits.request-rate", "errors.rate-limit"] },
  }, async () => {
    const nobody = setting.as(null);
    for (let count = 0; count < 100; count += 1) expect((await nobody.get("/api/v1/me")).status).toBe(401);
    expect(await nobody.get("/api/v1/me")).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    // A header that anybody can write makes nobody another client: the peer is no trusted proxy.
    expect((await nobody.get("/api/v1/me", { "X-Forwarded-For": "203.0.113.9" })).status).toBe(429);
    expect((await setting.as(setting.world.people.viewer).get<object>("/api/v1/me")).status).toBe(200);
    expect((await nobody.get<object>("/api/health")).status).toBe(200);
  });
});

describe("the windows of sessions and pages", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting({ perMinute: 2, sessionPerMinute: 5, pagesPerMinute: 4 });
  });
  afterAll(() => setting.close());

  it("the browser sessions of a user share a window, apart from that of their keys", {
    meta: { proves: ["decision.access.rate-limit-sessions"] },
  }, async () => {
    const { member } = setting.world.people;
    const sessions = [await setting.world.session(member), await setting.world.session(member)];
    for (let count = 0; count < 5; count += 1) {
      const { status, headers } = await setting.as(sessions[count % 2] ?? null).get<object>("/api/v1/me");
      const limits = [headers.get("X-RateLimit-Limit"), headers.get("X-RateLimit-Remaining")];
      expect({ status, limits }).toEqual({ status: 200, limits: ["5", String(4 - count)] });
    }
    for (const session of sessions) expect((await setting.as(session).get("/api/v1/me")).status).toBe(429);
    for (let count = 0; count < 2; count += 1) {
      expect((await setting.as(member).get<object>("/api/v1/me")).status).toBe(200);
    }
    expect((await setting.as(member).get("/api/v1/me")).status).toBe(429);
  });

  it("pages have a window per client address, apart from that of the API; the health check has none", {
    meta: { proves: ["decision.access.rate-limit-pages"] },
  }, async () => {
    const statuses: number[] = [];
    // The client of the tests has read the description once, to check answers against it.
    for (const path of ["/", "/docs", "/openapi.json", "/docs", "/"]) {
      statuses.push((await setting.app.request(path)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await setting.app.request("/docs/style.css");
    expect({ status: refused.status, retryAfter: Number(refused.headers.get("Retry-After")) > 0 }).toEqual({
      status: 429,
      retryAfter: true,
    });
    expect((await setting.as(null).get("/api/v1/me")).status).toBe(401);
    expect((await setting.as(null).get<object>("/api/health")).status).toBe(200);
  });
});

describe("the rate limit without Redis", () => {
  it("counts in the process, logs this in one line, and fails no request", {
    meta: { proves: ["decision.access.rate-limit-redis"] },
  }, async () => {
    const lines: { msg?: string; message?: string }[] = [];
    const logger = createLogger({
      app: "api",
      level: "warn",
      destination: { write: (line) => lines.push(JSON.parse(line)) },
    });
    // Nothing listens there.
    const redis = await connectRedis("redis://127.0.0.1:1", logger);
    const limiter = redisLimiter({ redis, fallback: processLimiter(), logger });
    const setting = await openSetting({ limiter, perMinute: 30, logger, redis });
    try {
      const viewer = setting.as(setting.world.people.viewer);
      const replies = await Promise.all(Array.from({ length: 40 }, () => viewer.get<object>("/api/v1/me")));
      expect(replies.filter((reply) => reply.status === 200)).toHaveLength(30);
      expect(replies.filter((reply) => reply.status === 429)).toHaveLength(10);
      expect(lines.filter((line) => (line.msg ?? line.message ?? "").includes("Redis"))).toHaveLength(1);
      const health = await setting.as(null).get<object>("/api/health");
      expect(health).toMatchObject({
        status: 503,
        body: { status: "degraded", checks: { database: "ok", redis: "down" } },
      });
    } finally {
      redis.disconnect();
      await setting.close();
    }
  });
});
