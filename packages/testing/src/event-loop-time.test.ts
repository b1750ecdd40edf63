import { describe, expect, it } from "vitest";
import { startStopwatch } from "./event-loop-time.ts";

describe("a stopwatch", () => {
  let earlierMs = (): number => 0;
  let atTheEndMs = 0;

  it("counts while the event loop turns, and not while a call blocks it", async () => {
    earlierMs = startStopwatch();
    const until = performance.now() + 300;
    while (performance.now() < until);
    expect(earlierMs()).toBe(0);
    await expect.poll(earlierMs).toBeGreaterThan(30);
    atTheEndMs = earlierMs();
  });

  it("ends with its test", async () => {
    const elapsedMs = startStopwatch();
    await expect.poll(elapsedMs).toBeGreaterThan(200);
    expect(earlierMs() - atTheEndMs).toBeLessThan(100);
  });
});
