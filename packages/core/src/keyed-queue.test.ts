import { describe, expect, it, vi } from "vitest";
import { KeyedQueue } from "./keyed-queue.ts";

describe("a keyed queue", () => {
  it("runs work with the same key in the order of arrival, and work with other keys meanwhile", async () => {
    const queue = new KeyedQueue();
    const seen: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const first = queue.run("a", async () => {
      await gate;
      seen.push("a1");
    });
    const second = queue.run("a", async () => void seen.push("a2"));
    await queue.run("b", async () => void seen.push("b1"));
    open();
    await Promise.all([first, second]);
    expect(seen).toEqual(["b1", "a1", "a2"]);
  });

  it("continues after work that fails", async () => {
    const queue = new KeyedQueue();
    const failing = queue.run("a", () => Promise.reject(new Error("no")));
    const next = queue.run("a", async () => "yes");
    await expect(failing).rejects.toThrow("no");
    await expect(next).resolves.toBe("yes");
  });

  it("refuses work that has waited too long, and never starts it", async () => {
    vi.useFakeTimers();
    try {
      const queue = new KeyedQueue();
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const first = queue.run("a", () => gate);
      const work = vi.fn(async () => {});
      const late = expect(queue.run("a", work)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
      await vi.advanceTimersByTimeAsync(20_001);
      await late;
      const third = queue.run("a", async () => "third");
      open();
      await first;
      expect(await third).toBe("third");
      expect(work).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });
});
