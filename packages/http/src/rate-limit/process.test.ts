import { describe, expect, it } from "vitest";
import { processLimiter } from "./process.ts";

function setting(maxKeys?: number) {
  const clock = { at: 1_000 };
  const limiter = processLimiter({ now: () => clock.at, ...(maxKeys === undefined ? {} : { maxKeys }) });
  const take = (key = "user:1", limit = 3) => limiter.take({ key, limit, windowMs: 60_000 });
  return { clock, limiter, take };
}

describe("the rate limit in the process", () => {
  it("allows the limit, then nothing more, and says how many are left", async () => {
    const { take } = setting();
    expect((await take()).remaining).toBe(2);
    expect((await take()).remaining).toBe(1);
    expect(await take()).toEqual({ allowed: true, remaining: 0, resetMs: 60_000 });
    expect(await take()).toEqual({ allowed: false, remaining: 0, resetMs: 60_000 });
  });

  it("the window slides: each request counts for exactly 60 seconds", async () => {
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

  it("who waits as long as was said succeeds: refused requests are not counted", async () => {
    const { clock, take } = setting();
    for (let index = 0; index < 3; index += 1) await take();
    for (let index = 0; index < 50; index += 1) await take();
    clock.at += (await take()).resetMs;
    expect((await take()).allowed).toBe(true);
  });

  it("keys do not touch each other", async () => {
    const { take } = setting();
    for (let index = 0; index < 3; index += 1) await take("user:1");
    expect((await take("user:1")).allowed).toBe(false);
    expect((await take("user:2")).remaining).toBe(2);
  });

  it("of 500 at once exactly 100 are allowed", async () => {
    const { take } = setting();
    const verdicts = await Promise.all(Array.from({ length: 500 }, () => take("user:1", 100)));
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(100);
  });

  it("memory is bounded: the key that was used least recently is forgotten", async () => {
    const { limiter, take } = setting(3);
    for (const key of ["a", "b", "c"]) await take(key);
    await take("a");
    await take("d");
    expect(limiter.size).toBe(3);
    expect((await take("a")).remaining).toBe(0);
    expect((await take("b")).remaining).toBe(2);
  });
});
