import { expect, it } from "vitest";
import { processLimiter } from "./process-limiter.ts";
import { exhausted, partMs } from "./spending.ts";

const budget = { key: "cost:ada", limits: [1_000, 500] };
const window = { key: "user:ada", limit: 100, windowMs: 60_000 };

function setting(maxKeys?: number) {
  const clock = { at: 600_000 };
  const limiter = processLimiter({ now: () => clock.at, ...(maxKeys === undefined ? {} : { maxKeys }) });
  return { clock, limiter, take: () => limiter.take({ ...window, budget }) };
}

it("a key that has spent a budget is refused until enough of it has left the window, and says which one", async () => {
  const { clock, limiter, take } = setting();
  await limiter.spend("cost:ada", [600, 10]);
  clock.at += 30_000;
  await limiter.spend("cost:ada", [600, 10]);
  const refused = await take();
  expect(refused).toMatchObject({ allowed: false, remaining: 100, exhausted: 0 });
  clock.at += refused.resetMs - 1;
  expect((await take()).allowed).toBe(false);
  clock.at += 1;
  const allowed = await take();
  expect(allowed).toMatchObject({ allowed: true, remaining: 99 });
  expect(allowed).not.toHaveProperty("exhausted");
});

it("counts each kind of cost, and never longer than a minute and a part of it", async () => {
  const { limiter, take, clock } = setting();
  await limiter.spend("cost:ada", [1, 500]);
  const refused = await take();
  expect(refused).toMatchObject({ allowed: false, exhausted: 1 });
  expect(refused.resetMs).toBeLessThanOrEqual(60_000 + partMs);
  clock.at += refused.resetMs;
  expect((await take()).allowed).toBe(true);
});

it("a refused request is not counted, and other keys have their own budget", async () => {
  const { limiter, take } = setting();
  await limiter.spend("cost:bob", [5_000, 5_000]);
  expect(await take()).toMatchObject({ allowed: true, remaining: 99 });
  await limiter.spend("cost:ada", [5_000, 0]);
  expect(await take()).toMatchObject({ allowed: false, remaining: 99 });
});

it("memory is bounded: the key that spent least recently is forgotten", async () => {
  const { limiter, take } = setting(2);
  await limiter.spend("cost:ada", [5_000, 0]);
  for (const key of ["cost:bob", "cost:eve"]) await limiter.spend(key, [1, 1]);
  expect((await take()).allowed).toBe(true);
});

it("nothing spent exhausts nothing", () => {
  expect(exhausted([1], [], 0)).toBeUndefined();
});
