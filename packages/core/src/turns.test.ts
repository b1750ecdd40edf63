import { describe, expect, it, vi } from "vitest";
import { Turns } from "./turns.ts";

describe("turns", () => {
  it("runs what has the same key one after the other, in the order of arrival, and other keys meanwhile", async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const first = turns.take("a", async () => {
      await gate;
      seen.push("a1");
    });
    const second = turns.take("a", async () => void seen.push("a2"));
    await turns.take("b", async () => void seen.push("b1"));
    open();
    await Promise.all([first, second]);
    expect(seen).toEqual(["b1", "a1", "a2"]);
  });

  it("gives the turn on when the one before fails", async () => {
    const turns = new Turns();
    const failing = turns.take("a", () => Promise.reject(new Error("no")));
    const next = turns.take("a", async () => "yes");
    await expect(failing).rejects.toThrow("no");
    await expect(next).resolves.toBe("yes");
  });

  it("tells one whose turn does not come in time to come back, and never begins it", async () => {
    vi.useFakeTimers();
    try {
      const turns = new Turns();
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const first = turns.take("a", () => gate);
      const work = vi.fn(async () => {});
      const late = expect(turns.take("a", work)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
      await vi.advanceTimersByTimeAsync(20_001);
      await late;
      const third = turns.take("a", async () => "third");
      open();
      await first;
      expect(await third).toBe("third");
      expect(work).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });
});
