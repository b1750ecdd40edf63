import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { untilStalled } from "./until-stalled.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function* twoParts(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
  yield new Uint8Array(1);
}

/** Returns an answer of two parts, and what happens to it. */
function sending() {
  const happened: string[] = [];
  const parts = untilStalled(
    twoParts(),
    () => happened.push("end"),
    () => happened.push("disconnect"),
  );
  return { parts, happened };
}

it("a client that takes nothing for 30 seconds is disconnected, and its turn ends", async () => {
  const { parts, happened } = sending();
  await parts.next();
  vi.advanceTimersByTime(29_999);
  expect(happened).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(happened).toEqual(["end", "disconnect"]);
});

it("a client that takes each part within 30 seconds is not, however long all of them take", async () => {
  const { parts, happened } = sending();
  await parts.next();
  vi.advanceTimersByTime(29_000);
  await parts.next();
  vi.advanceTimersByTime(29_000);
  expect(await parts.next()).toEqual({ done: true, value: undefined });
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual(["end"]);
});
