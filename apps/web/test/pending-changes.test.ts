import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reportDeviceChange } from "../src/client/writing/device-changes.ts";
import { pendingChanges } from "../src/client/writing/pending-changes.ts";

const device = vi.hoisted(() => ({ count: 0, counted: 0 }));

vi.mock("../src/client/app/boot.ts", () => ({ boot: () => ({ app: { user: { id: "user" } } }) }));
vi.mock("../src/client/writing/kept-on-device.ts", () => ({
  countKept: () => {
    device.counted += 1;
    return Promise.resolve(device.count);
  },
}));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("what is kept and deleted while somebody writes is counted twice a second for all who show it, and shown in the end", async () => {
  const shown: number[] = [];
  const ends = [1, 2].map(() => pendingChanges.subscribe(() => shown.push(pendingChanges.read())));
  await vi.advanceTimersByTimeAsync(0);
  device.counted = 0;
  for (let time = 0; time < 40; time += 1) {
    device.count = time % 2;
    reportDeviceChange();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(device.counted).toBe(4);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(pendingChanges.read()).toBe(1);
  expect(shown.slice(-2)).toEqual([1, 1]);
  ends[0]?.();
  device.count = 7;
  reportDeviceChange();
  await vi.advanceTimersByTimeAsync(1_000);
  // The other one still hears of it.
  expect(shown.at(-1)).toBe(7);
  ends[1]?.();
});
