import { expect, it } from "vitest";
import { type FileStore, watchSpace } from "../src/index.ts";

const meta = { proves: ["decision.api.health-disk"] } as const;
async function* chunks(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(10);
}

/** A store whose writes fail with an error until it is cleared. */
function failingStore() {
  const state: { error: Error | null; readonly keys: Set<string> } = { error: null, keys: new Set() };
  const store: FileStore = {
    put: async (key) => {
      if (state.error !== null) throw state.error;
      state.keys.add(key);
    },
    get: async () => null,
    removeBelow: async (prefix) => {
      for (const key of state.keys) if (key.startsWith(prefix)) state.keys.delete(key);
    },
  };
  return { state, store: watchSpace(store) };
}

it.each([
  ["a full disk", Object.assign(new Error("no space left on device"), { code: "ENOSPC" })],
  ["a full bucket", Object.assign(new Error("full"), { name: "XMinioStorageFull" })],
])("a write that fails for %s is remembered until a write succeeds", { meta }, async (_name, error) => {
  const { state, store } = failingStore();
  expect(store.isOutOfSpace()).toBe(false);
  state.error = error;
  await expect(store.put("a/b", chunks(), "image/png")).rejects.toBe(error);
  expect(store.isOutOfSpace()).toBe(true);
  await expect(store.probeSpace()).rejects.toBe(error);
  expect(store.isOutOfSpace()).toBe(true);
  state.error = null;
  await store.probeSpace();
  expect(store.isOutOfSpace()).toBe(false);
  expect([...state.keys]).toEqual([]);
});

it("another failure does not count", { meta }, async () => {
  const { state, store } = failingStore();
  state.error = new Error("connection refused");
  await expect(store.put("a/b", chunks(), "image/png")).rejects.toBe(state.error);
  expect(store.isOutOfSpace()).toBe(false);
});
