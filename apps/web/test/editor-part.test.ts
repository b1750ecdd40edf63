import { expect, it, vi } from "vitest";
import { part } from "../src/client/editor/part.ts";

it("loads a part of the editor once for all who need it, and again after it did not come", async () => {
  let count = 0;
  const tables = part(() => {
    count += 1;
    return count === 1 ? Promise.reject(new Error("Offline")) : Promise.resolve({ count });
  });
  await expect(tables.load()).rejects.toThrow("Offline");
  expect(tables.current).toBeUndefined();
  const both = await Promise.all([tables.load(), tables.load()]);
  expect(both).toEqual([{ count: 2 }, { count: 2 }]);
  expect(await tables.load()).toBe(tables.current);
  expect(count).toBe(2);
});

it("asks for a part again and again as long as somebody waits for it, and tells all of them", async () => {
  vi.useFakeTimers();
  try {
    let count = 0;
    const formulas = part(() => {
      count += 1;
      return count < 3 ? Promise.reject(new Error("Offline")) : Promise.resolve({ count });
    });
    const told: unknown[] = [];
    formulas.use((module) => told.push(module));
    formulas.use((module) => told.push(module));
    const end = formulas.use((module) => told.push(module));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(count).toBe(1);
    end();
    await vi.advanceTimersByTimeAsync(15_200);
    expect(told).toEqual([{ count: 3 }, { count: 3 }]);
    formulas.use((module) => told.push(module));
    expect(told).toHaveLength(3);
    const nobody = part(() => Promise.reject(new Error("Offline")));
    nobody.use(() => undefined)();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
