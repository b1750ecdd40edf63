import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { type FileStore, watchSpace } from "../src/index.ts";

const meta = { proves: ["decision.api.health-disk"] } as const;
async function* chunks(bytes: Uint8Array = new Uint8Array(10)): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A store whose writes fail with `error`, or store the file and then fail with `lostAnswer`, until it is cleared. */
function failingStore() {
  const files = new Map<string, Uint8Array>();
  const state: { error: Error | null; lostAnswer: Error | null } = { error: null, lostAnswer: null };
  const store: FileStore = {
    put: async (key, bytes) => {
      if (state.error !== null) throw state.error;
      files.set(key, await buffer(bytes));
      if (state.lostAnswer !== null) throw state.lostAnswer;
    },
    get: async (key) => (files.has(key) ? chunks(files.get(key)) : null),
    removeBelow: async (prefix) => {
      for (const key of files.keys()) if (key.startsWith(prefix)) files.delete(key);
    },
  };
  return { state, files, store: watchSpace(store) };
}

it.each([
  ["a full disk", Object.assign(new Error("no space left on device"), { code: "ENOSPC" })],
  ["a full bucket", Object.assign(new Error("full"), { name: "XMinioStorageFull" })],
])("a write that fails for %s is remembered until a write succeeds", { meta }, async (_name, error) => {
  const { state, files, store } = failingStore();
  expect(store.isOutOfSpace()).toBe(false);
  state.error = error;
  await expect(store.put("a/b", chunks(), "image/png")).rejects.toBe(error);
  expect(store.isOutOfSpace()).toBe(true);
  await expect(store.probeSpace()).rejects.toBe(error);
  expect(store.isOutOfSpace()).toBe(true);
  state.error = null;
  await store.probeSpace();
  expect(store.isOutOfSpace()).toBe(false);
  expect([...files.keys()]).toEqual([]);
});

it("another failure does not count", { meta }, async () => {
  const { state, store } = failingStore();
  state.error = new Error("connection refused");
  await expect(store.put("a/b", chunks(), "image/png")).rejects.toBe(state.error);
  expect(store.isOutOfSpace()).toBe(false);
});

it("a check of the store that succeeds says nothing of space: a large file may be refused all the same", {
  meta,
}, async () => {
  const { state, files, store } = failingStore();
  state.error = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  await expect(store.put("a/b", chunks(), "image/png")).rejects.toBe(state.error);
  state.error = null;
  await store.check();
  expect([store.isOutOfSpace(), [...files.keys()]]).toEqual([true, []]);
});

it("a check and a probe remove a file that was stored without an answer, and fail with the reason of the write", async () => {
  const { state, files, store } = failingStore();
  const lost = new Error("no answer within 20 s");
  state.lostAnswer = lost;
  await expect(store.check()).rejects.toBe(lost);
  await expect(store.probeSpace()).rejects.toBe(lost);
  expect([...files.keys()]).toEqual([]);
});
