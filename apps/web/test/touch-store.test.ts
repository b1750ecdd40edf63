import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

it("tells when the reader's pointer changes", async () => {
  const query = Object.assign(new EventTarget(), { matches: false });
  vi.stubGlobal("matchMedia", () => query);
  const { touchStore } = await import("../src/client/tree/touch-store.ts");
  const seen: boolean[] = [];
  const end = touchStore.subscribe(() => seen.push(touchStore.read()));
  for (const matches of [true, false]) {
    query.matches = matches;
    query.dispatchEvent(new Event("change"));
  }
  end();
  query.dispatchEvent(new Event("change"));
  expect(seen).toEqual([true, false]);
});
