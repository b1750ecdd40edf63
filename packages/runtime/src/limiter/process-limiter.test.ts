import { describe, expect, it } from "vitest";
import { processLimiter } from "./process-limiter.ts";

function setting(maxKeys?: number) {
  const clock = { at: 1_000 };
  const limiter = processLimiter({ now: () => clock.at, ...(maxKeys === undefined ? {} : { maxKeys }) });
  const take = (key = "user:1", limit = 3) => limiter.take({ key, limit, windowMs: 60_000 });
  return { clock, limiter, take };
}

describe("the rate limit of one process", () => {
  it("counts exactly the requests of the last window, however many have left it before", async () => {
    const { clock, take } = setting();
    const allowed: number[] = [];
    for (let n = 0; n < 2_000; n += 1) {
      clock.at += (n * 7_919) % 4_001;
      const inside = allowed.filter((time) => time > clock.at - 60_000);
      const verdict = await take("user:1", 20);
      expect(verdict.allowed).toBe(inside.length < 20);
      if (verdict.allowed) allowed.push(clock.at);
      expect(verdict.remaining).toBe(20 - inside.length - (verdict.allowed ? 1 : 0));
      expect(verdict.resetMs).toBe((inside[0] ?? clock.at) + 60_000 - clock.at);
    }
  });

  it("allows requests up to the limit, and reports the remaining ones", async () => {
    const { take } = setting();
    expect((await take()).remaining).toBe(2);
    expect((await take()).remaining).toBe(1);
    expect(await take()).toEqual({ allowed: true, remaining: 0, resetMs: 60_000 });
    expect(await take()).toEqual({ allowed: false, remaining: 0, resetMs: 60_000 });
  });

  it("uses a sliding window: each request counts for exactly 60 seconds", async () => {
    const { clock, take } = setting();
    await take();
    clock.at += 30_000;
    await take();
    await take();
    clock.at += 29_999;
    expect(await take()).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
    clock.at += 1;
    expect((await take()).allowed).toBe(true);
    expect(await take()).toEqual({ allowed: false, remaining: 0, resetMs: 30_000 });
  });

  it("allows a request after the reported wait, because refused requests do not count", async () => {
    const { clock, take } = setting();
    for (let index = 0; index < 3; index += 1) await take();
    for (let index = 0; index < 50; index += 1) await take();
    clock.at += (await take()).resetMs;
    expect((await take()).allowed).toBe(true);
  });

  it("counts several requests at once or none, and reports when all of them fit", async () => {
    const { clock, limiter, take } = setting();
    const takeTwo = () => limiter.take({ key: "user:1", limit: 3, windowMs: 60_000, count: 2 });
    await take();
    clock.at += 10_000;
    await take();
    expect(await takeTwo()).toEqual({ allowed: false, remaining: 1, resetMs: 50_000 });
    clock.at += 50_000;
    expect(await takeTwo()).toEqual({ allowed: true, remaining: 0, resetMs: 10_000 });
    expect(await limiter.take({ key: "user:1", limit: 3, windowMs: 60_000, count: 9 })).toMatchObject({
      allowed: false,
      resetMs: 60_000,
    });
  });

  it("counts each key separately", async () => {
    const { take } = setting();
    for (let index = 0; index < 3; index += 1) await take("user:1");
    expect((await take("user:1")).allowed).toBe(false);
    expect((await take("user:2")).remaining).toBe(2);
  });

  it("allows exactly 100 of 500 concurrent requests", async () => {
    const { take } = setting();
    const verdicts = await Promise.all(Array.from({ length: 500 }, () => take("user:1", 100)));
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(100);
  });

  it("has bounded memory: the least recently used key is removed", async () => {
    const { limiter, take } = setting(3);
    for (const key of ["a", "b", "c"]) await take(key);
    await take("a");
    await take("d");
    expect(limiter.size).toBe(3);
    expect((await take("a")).remaining).toBe(0);
    expect((await take("b")).remaining).toBe(2);
  });
});
