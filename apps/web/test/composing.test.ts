import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { composed } from "../src/client/editor/composed.ts";
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

it("what waits for the end of a composition is done after what was composed is read, and without an end after three seconds", async () => {
  const dom = new EventTarget() as HTMLElement;
  const view = { composing: true, isDestroyed: false, dom };
  const order: string[] = [];
  const waiting = composed(view).then(() => order.push("done"));
  await vi.advanceTimersByTimeAsync(2_000);
  dom.dispatchEvent(new Event("compositionend"));
  order.push("ended");
  view.composing = false;
  await vi.advanceTimersByTimeAsync(1_000);
  await waiting;
  expect(order).toEqual(["ended", "done"]);
  view.composing = true;
  const unended = composed(view).then(() => order.push("given up"));
  view.composing = false;
  await vi.advanceTimersByTimeAsync(3_000);
  await unended;
  expect(order).toEqual(["ended", "done", "given up"]);
});
