import { setTimeout as pause } from "node:timers/promises";
import { startStopwatch } from "@kb/testing/event-loop-time";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectRedis } from "../connect-redis.ts";
import { createLogger } from "../logger.ts";
import { type RedisServer, redisServer } from "../testing/index.ts";
import type { Limiter, Verdict } from "./limiter.ts";
import { processLimiter } from "./process-limiter.ts";
import { redisLimiter } from "./redis-limiter.ts";

let server: RedisServer;
const connections: Redis[] = [];

beforeAll(async () => {
  server = await redisServer();
});
afterAll(async () => {
  for (const connection of connections) connection.disconnect();
  server.thaw();
  await server.stop();
});

type Instance = { limiter: Limiter; redis: Redis; lines: { message: string; level: number }[] };

/** One instance of the service, with a connection, a fallback and a log of its own. */
async function instance(): Promise<Instance> {
  const lines: Instance["lines"] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const logger = createLogger({ app: "test", level: "info", destination });
  const redis = await connectRedis(server.url, logger);
  connections.push(redis);
  const limiter = redisLimiter({ redis, fallback: processLimiter(), logger });
  await until(async () => redis.status === "ready");
  return { limiter, redis, lines };
}

async function until(met: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await met()) return;
    await pause(50);
  }
  throw new Error("it did not come true within 10 s");
}

let keys = 0;
const freshKey = (): string => {
  keys += 1;
  return `test:${process.pid}:${keys}`;
};
const take = (limiter: Limiter, key: string, limit = 100, windowMs = 60_000): Promise<Verdict> =>
  limiter.take({ key, limit, windowMs });

describe("the rate limit in Redis", () => {
  it("allows exactly 100 of 500 concurrent requests of three instances", {
    meta: { proves: ["limits.request-rate", "decision.access.rate-limit-redis"] },
  }, async () => {
    const instances = await Promise.all([instance(), instance(), instance()]);
    const key = freshKey();
    const limiters = instances.map(({ limiter }) => limiter);
    const verdicts = await Promise.all(
      Array.from({ length: 500 }, (_, index) => limiters.at(index % 3)).map((limiter) =>
        limiter === undefined ? Promise.reject(new Error("no limiter")) : take(limiter, key),
      ),
    );
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(100);
    const remaining = verdicts.filter((verdict) => verdict.allowed).map((verdict) => verdict.remaining);
    expect(new Set(remaining).size).toBe(100);
    expect(instances.flatMap(({ lines }) => lines)).toEqual([]);
  });

  it("counts several requests at once or none, and reports when all of them fit", async () => {
    const { limiter } = await instance();
    const key = freshKey();
    const takeTwo = () => limiter.take({ key, limit: 3, windowMs: 600, count: 2 });
    await take(limiter, key, 3, 600);
    await pause(200);
    await take(limiter, key, 3, 600);
    const refused = await takeTwo();
    expect(refused).toMatchObject({ allowed: false, remaining: 1 });
    expect(refused.resetMs).toBeLessThanOrEqual(401);
    await pause(refused.resetMs + 5);
    expect(await takeTwo()).toMatchObject({ allowed: true, remaining: 0 });
  });

  it("what one instance spends is spent for all: a used-up budget refuses until enough of it has left the window", {
    meta: { proves: ["decision.access.cost-budget"] },
  }, async () => {
    const instances = await Promise.all([instance(), instance()]);
    const budget = { key: freshKey(), limits: [1_000, 500] };
    const key = freshKey();
    for (const { limiter } of instances) await limiter.spend(budget.key, [300, 300]);
    const verdicts = () =>
      Promise.all(instances.map(({ limiter }) => limiter.take({ key, limit: 100, windowMs: 60_000, budget })));
    await until(async () => (await verdicts()).every(({ allowed }) => !allowed));
    for (const { exhausted, resetMs } of await verdicts()) {
      expect(exhausted).toBe(1);
      expect(resetMs).toBeGreaterThan(50_000);
      expect(resetMs).toBeLessThanOrEqual(66_000);
    }
    const { limiter } = await instance();
    expect(await limiter.take({ key, limit: 100, windowMs: 60_000 })).toMatchObject({ allowed: true });
  });

  it("uses a sliding window, and allows a request after the reported wait", async () => {
    const { limiter } = await instance();
    const key = freshKey();
    const first = await take(limiter, key, 2, 600);
    expect(first).toMatchObject({ allowed: true, remaining: 1 });
    expect(first.resetMs).toBeLessThanOrEqual(600);
    await pause(300);
    expect((await take(limiter, key, 2, 600)).allowed).toBe(true);
    const refused = await take(limiter, key, 2, 600);
    expect(refused.allowed).toBe(false);
    expect(refused.resetMs).toBeLessThanOrEqual(301);
    await pause(refused.resetMs + 5);
    expect((await take(limiter, key, 2, 600)).allowed).toBe(true);
    // The second one is still in the window.
    expect((await take(limiter, key, 2, 600)).allowed).toBe(false);
  });

  it("stores nothing for refused requests, and removes a key with its window", async () => {
    const { limiter, redis } = await instance();
    const key = freshKey();
    for (let index = 0; index < 20; index += 1) await take(limiter, key, 3, 300);
    expect(await redis.zcard(`kb:rate:${key}`)).toBe(3);
    expect(await redis.pttl(`kb:rate:${key}`)).toBeLessThanOrEqual(300);
    await pause(350);
    expect(await redis.exists(`kb:rate:${key}`)).toBe(0);
  });

  it("needs one round trip", async () => {
    const { limiter, redis } = await instance();
    const calls = async (): Promise<number> => {
      const text = await redis.info("commandstats");
      const count = (name: string): number => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(text)?.[1] ?? 0);
      return count("evalsha") + count("eval");
    };
    await take(limiter, freshKey());
    const before = await calls();
    for (let index = 0; index < 10; index += 1) await take(limiter, freshKey());
    expect((await calls()) - before).toBe(10);
  });
});

describe("a Redis failure", () => {
  it("makes the process count for itself at once, with one log line, until Redis recovers", async () => {
    const { limiter, redis, lines } = await instance();
    const key = freshKey();
    expect((await take(limiter, key, 5)).remaining).toBe(4);
    await server.stop();
    const verdicts: Verdict[] = [];
    const elapsedMs = startStopwatch();
    for (let index = 0; index < 30; index += 1) verdicts.push(await take(limiter, key, 5));
    expect(elapsedMs()).toBeLessThan(1_500);
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(5);
    expect(lines.map(({ message }) => message)).toEqual([
      "Redis does not answer: the rate limit counts in this process until it does",
    ]);
    await server.start();
    await until(async () => {
      await take(limiter, freshKey());
      return lines.length === 2;
    });
    expect(lines[1]?.message).toBe("Redis answers again: the rate limit is shared");
    expect((await take(limiter, key, 5)).remaining).toBe(4);
    expect(redis.status).toBe("ready");
  });

  it("makes the process count for itself if Redis hangs, and delays one request a second by at most the timeout", async () => {
    const { limiter, lines } = await instance();
    const key = freshKey();
    await take(limiter, key);
    server.freeze();
    try {
      const elapsedMs = startStopwatch();
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => take(limiter, key, 10)));
      expect(elapsedMs()).toBeLessThan(1_000);
      expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(10);
      const afterwardsMs = startStopwatch();
      for (let index = 0; index < 20; index += 1) await take(limiter, key, 10);
      expect(afterwardsMs()).toBeLessThan(200);
      expect(lines).toHaveLength(1);
    } finally {
      server.thaw();
    }
    await until(async () => {
      await take(limiter, freshKey());
      return lines.length === 2;
    });
    expect(lines[1]?.message).toBe("Redis answers again: the rate limit is shared");
  });

  it("is not assumed if the process itself was too busy to read the reply", {
    meta: { proves: ["decision.access.rate-limit-redis"] },
  }, async () => {
    const { limiter, lines } = await instance();
    const key = freshKey();
    const verdicts = Array.from({ length: 20 }, () => take(limiter, key, 10));
    await pause(0);
    const until = performance.now() + 400;
    while (performance.now() < until);
    expect((await Promise.all(verdicts)).filter((verdict) => verdict.allowed)).toHaveLength(10);
    expect(lines).toEqual([]);
  });

  it("at the start is one log line, and Redis is used as soon as it is available", async () => {
    await server.stop();
    const lines: { message: string }[] = [];
    const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
    const logger = createLogger({ app: "test", level: "info", destination });
    const redis = await connectRedis(server.url, logger);
    connections.push(redis);
    const limiter = redisLimiter({ redis, fallback: processLimiter(), logger });
    for (let index = 0; index < 10; index += 1) expect((await take(limiter, freshKey())).allowed).toBe(true);
    expect(lines).toHaveLength(1);
    await server.start();
    await until(async () => {
      await take(limiter, freshKey());
      return lines.length === 2;
    });
  });
});
