import type { KeptChanges } from "@kb/live/session";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readSession, sessionStore } from "../src/client/writing/kept-sessions.ts";

type Request = { readonly result: unknown; onsuccess?: () => void };

/** The stores of the database, by name. Each request is answered once its caller has what it asked with. */
const { stores, transaction } = vi.hoisted(() => {
  const stores = new Map<string, Map<string, unknown>>();
  const answered = (result: unknown): Request => {
    const request: Request = { result };
    queueMicrotask(() => request.onsuccess?.());
    return request;
  };
  const objectStore = (name: string) => {
    const rows = stores.get(name) ?? new Map<string, unknown>();
    stores.set(name, rows);
    return {
      put: (row: unknown, key: string) => answered(rows.set(key, row)),
      get: (key: string) => answered(rows.get(key)),
      delete: (key: string) => answered(rows.delete(key)),
      count: (key: string) => answered(rows.has(key) ? 1 : 0),
    };
  };
  return { stores, transaction: { objectStore } };
});

vi.mock("../src/client/writing/device-changes.ts", () => ({ reportDeviceChange: () => undefined }));
vi.mock("../src/client/writing/device-database.ts", () => ({
  DeviceDatabase: class {
    async run(_mode: string, work: (asked: typeof transaction) => Request): Promise<unknown> {
      const request = work(transaction);
      await Promise.resolve();
      return request.result;
    }

    writeAtOnce(work: (asked: typeof transaction) => void): void {
      work(transaction);
    }
  },
}));

const key = "user:document:record";
const snapshot = { lineage: "log", version: 0, content: {} };
const changesOf = (steps: number): KeptChanges => ({
  batches: [],
  local: Array.from({ length: steps }, (_, index) => ({ step: { index }, sentIndex: null })),
  sent: null,
  orphans: [],
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000 });
  stores.clear();
});
afterEach(() => void vi.useRealTimers());

it("what a session has left is of when it was written, not of when a page last opened it, until more is written", async () => {
  await sessionStore(key, "Title", null).keep(changesOf(1), snapshot);
  for (const time of [2_000, 3_000]) {
    vi.setSystemTime(time);
    const kept = await readSession(key);
    expect(kept?.writtenAt).toBe(1_000);
    const store = sessionStore(key, "Title", kept);
    await store.keep(changesOf(1), null);
    store.keepAtOnce(changesOf(1), null);
  }
  vi.setSystemTime(4_000);
  const store = sessionStore(key, "Title", await readSession(key));
  await store.keep(changesOf(2), null);
  expect((await readSession(key))?.writtenAt).toBe(4_000);
  await store.drop();
  vi.setSystemTime(5_000);
  await store.keep(changesOf(1), null);
  expect((await readSession(key))?.writtenAt).toBe(5_000);
});

it("what a page has opened lately is not too old, whenever it was written", async () => {
  await sessionStore(key, "Title", null).keep(changesOf(1), snapshot);
  const day = 24 * 60 * 60 * 1_000;
  vi.setSystemTime(20 * day);
  await sessionStore(key, "Title", await readSession(key)).keep(changesOf(1), null);
  vi.setSystemTime(40 * day);
  expect((await readSession(key))?.writtenAt).toBe(1_000);
  vi.setSystemTime(51 * day);
  expect(await readSession(key)).toBeNull();
});

it("what an earlier release has left is of when it was last kept", async () => {
  stores.set("sessions", new Map([[key, { changes: changesOf(1), keptAt: 500, title: "Title" }]]));
  expect((await readSession(key))?.writtenAt).toBe(500);
});
