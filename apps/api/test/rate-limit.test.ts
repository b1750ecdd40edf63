import { connectRedis, createLogger, processLimiter, redisLimiter } from "@kb/http";
import type { Failure } from "@kb/testing";
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

  it("a user has 100 requests a minute, with all their credentials together [limits.request-rate] [errors.rate-limit] [decision.access.rate-limit]", async () => {
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

  it("over it the answer says when to come back [errors.rate-limit.headers] [errors.rate-limit.body]", async () => {
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

  it("the window slides: what was used comes back as it leaves the window [limits.request-rate]", async () => {
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

  it("of 150 at once exactly 100 pass [limits.request-rate]", async () => {
    const admin = setting.as(setting.world.people.admin);
    const replies = await Promise.all(Array.from({ length: 150 }, () => admin.get<object>("/api/v1/me")));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(100);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(50);
  });

  it("errors count too, and carry the same headers [decision.access.rate-limit]", async () => {
    const outsider = setting.as(setting.world.people.outsider);
    const first = await outsider.get("/api/v1/nothing");
    const second = await outsider.post("/api/v1/documents", {});
    expect([first.status, second.status]).toEqual([404, 400]);
    expect(remaining(first.headers) - remaining(second.headers)).toBe(1);
  });

  it("every answer has the headers, whatever it says [decision.access.rate-limit]", async () => {
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

  it("who shows no good credential counts by client [limits.request-rate] [errors.rate-limit]", async () => {
    const nobody = setting.as(null);
    for (let count = 0; count < 100; count += 1) expect((await nobody.get("/api/v1/me")).status).toBe(401);
    expect(await nobody.get("/api/v1/me")).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    // A header that anybody can write makes nobody another client: the peer is no trusted proxy.
    expect((await nobody.get("/api/v1/me", { "X-Forwarded-For": "203.0.113.9" })).status).toBe(429);
    expect((await setting.as(setting.world.people.viewer).get<object>("/api/v1/me")).status).toBe(200);
    expect((await nobody.get<object>("/api/health")).status).toBe(200);
  });
});

describe("the rate limit without its Redis", () => {
  it("counts in the process, tells it in one line, and fails no request [decision.access.rate-limit-redis]", async () => {
    const lines: { msg?: string; message?: string }[] = [];
    const logger = createLogger({
      app: "api",
      level: "warn",
      destination: { write: (line) => lines.push(JSON.parse(line)) },
    });
    // Nothing listens there.
    const redis = connectRedis("redis://127.0.0.1:1", logger);
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
