import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { composing } from "../src/client/editor/composing.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("keeps the hold of a composition that begins with the key that ends another", () => {
  let isHeld = false;
  const { compositionstart, compositionend } = composing({
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
    },
  });
  compositionstart();
  compositionend();
  compositionstart();
  vi.advanceTimersByTime(1_000);
  expect(isHeld).toBe(true);
  compositionend();
  vi.advanceTimersByTime(1_000);
  expect(isHeld).toBe(false);
});
