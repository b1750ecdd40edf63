import type { KeptChanges } from "@kb/live/session";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  documentsOfSessions,
  dropSession,
  dropSessions,
  dropUnusedSnapshot,
  keysOfSessions,
  readKeptTitles,
  readSession,
  sessionStore,
  titleStore,
} from "../src/client/writing/kept-sessions.ts";

type Request = { readonly result: unknown; onsuccess?: () => void };

/** The stores of the database, by name. Each request is answered once its caller has what it asked with. */
const { stores, transaction, user } = vi.hoisted(() => {
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
      delete: (key: string) => answered(key === user ? rows.clear() : rows.delete(key)),
      getAllKeys: () => answered([...rows.keys()]),
      count: (key: string) => answered(rows.has(key) ? 1 : 0),
    };
  };
  return { stores, transaction: { objectStore }, user: "user" };
});

vi.mock("../src/client/writing/device-changes.ts", () => ({ reportDeviceChange: () => undefined }));
vi.mock("../src/client/writing/device-database.ts", () => ({
  /** The rows are of one user and one document. */
  keysBelow: () => user,
  DeviceDatabase: class {
    get isOpen(): boolean {
      return stores.get("sessions")?.get("closed") === undefined;
    }

    async run(_mode: string, work: (asked: typeof transaction) => Request): Promise<unknown> {
      const request = work(transaction);
      await Promise.resolve();
      return request.result;
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

/** Storage with room for a number of characters. */
function fakeStorage(room = Number.POSITIVE_INFINITY) {
  const values: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => values[name] ?? null,
    setItem: (name: string, value: string) => {
      if (value.length > room) throw new DOMException("No room", "QuotaExceededError");
      values[name] = value;
    },
    removeItem: (name: string) => void delete values[name],
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(values, name, { value });
  return values;
}

let storage = fakeStorage();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000 });
  stores.clear();
  storage = fakeStorage();
  vi.stubGlobal("localStorage", storage);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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

it("text that a page kept as it ended counts, with the document of the database where it brings none, until a later write is done", async () => {
  const store = sessionStore(key, "Title", null);
  await store.keep(changesOf(1), snapshot);
  const writing = store.keep(changesOf(2), null);
  store.keepAtOnce(changesOf(3), null);
  await writing;
  const kept = await readSession(key);
  expect([kept?.changes.local.length, kept?.snapshot]).toEqual([3, snapshot]);
  const own = { ...snapshot, version: 7 };
  store.keepAtOnce(changesOf(4), own);
  expect((await readSession(key))?.snapshot).toEqual(own);
  await store.keep(changesOf(5), null);
  expect((await readSession(key))?.changes.local).toHaveLength(5);
  expect(storage).toEqual({});
});

it("text that a page kept as it ended is read where the database cannot read its own row, and the row where that is damaged", async () => {
  const store = sessionStore(key, "Title", null);
  await store.keep(changesOf(1), snapshot);
  storage[`kb-sessions:${key}`] = "{";
  expect((await readSession(key))?.changes.local).toHaveLength(1);
  store.keepAtOnce(changesOf(2), snapshot);
  const { get } = Map.prototype;
  const rows = stores.get("sessions");
  if (rows === undefined) throw new Error("No rows");
  rows.get = () => {
    throw new DOMException("Unreadable", "DataError");
  };
  expect((await readSession(key))?.changes.local).toHaveLength(2);
  rows.get = get;
});

it("a later row in the database counts before text that a page kept as it ended", async () => {
  const store = sessionStore(key, "Title", null);
  store.keepAtOnce(changesOf(1), snapshot);
  const { [`kb-sessions:${key}`]: moment = "" } = storage;
  vi.setSystemTime(2_000);
  await store.keep(changesOf(2), snapshot);
  // The page crashed before it dropped it.
  storage[`kb-sessions:${key}`] = moment;
  expect((await readSession(key))?.changes.local).toHaveLength(2);
});

it("text that a page kept as it ended is found without a row in the database, and is deleted with the text", async () => {
  const store = sessionStore(key, "Title", null);
  const title = titleStore("user", "document");
  const write = () => {
    store.keepAtOnce(changesOf(1), snapshot);
    title.keepAtOnce({ title: "New", before: "Old" });
  };
  write();
  await dropUnusedSnapshot(key);
  expect(await keysOfSessions("user", "document")).toEqual([key]);
  expect(await keysOfSessions("user", "other")).toEqual([]);
  expect(await documentsOfSessions("user")).toEqual(["document", "document"]);
  expect(await readKeptTitles("user")).toEqual([{ title: "New", before: "Old", documentId: "document" }]);
  expect((await readSession(key))?.changes.local).toHaveLength(1);
  await dropSession(key);
  await title.drop();
  expect(storage).toEqual({});
  write();
  await store.drop();
  expect(await keysOfSessions("user")).toEqual([]);
  write();
  await dropSessions("user");
  expect(storage).toEqual({});
});

it("a title that this page has kept is left to the tab that has replaced it", async () => {
  const mine = titleStore("user", "document");
  await mine.keep({ title: "Mine", before: "Old" });
  await titleStore("user", "document").keep({ title: "Theirs", before: "Old" });
  mine.keepAtOnce({ title: "Mine", before: "Old" });
  expect(await mine.read()).toEqual({ title: "Theirs", before: "Old" });
  mine.keepAtOnce({ title: "Mine too", before: "Old" });
  expect(await mine.read()).toEqual({ title: "Mine too", before: "Old" });
});

it("text that a page kept as it ended stays where the database has no document that its changes lead on from", async () => {
  const store = sessionStore(key, "Title", null);
  store.keepAtOnce(changesOf(1), snapshot);
  expect(await store.keep(changesOf(2), null)).toBe(false);
  expect((await readSession(key))?.changes.local).toHaveLength(1);
});

it("a page keeps nothing as it ends where the browser has no database to read it beside", () => {
  stores.set("sessions", new Map([["closed", true]]));
  sessionStore(key, "Title", null).keepAtOnce(changesOf(1), snapshot);
  expect(storage).toEqual({});
});

it("without room or storage for text that a page keeps as it ends, the database counts", async () => {
  const store = sessionStore(key, "Title", null);
  const damaged = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error("NS_ERROR_FILE_CORRUPTED");
      },
      ownKeys: () => {
        throw new Error("NS_ERROR_FILE_CORRUPTED");
      },
    },
  );
  for (const place of [fakeStorage(10), undefined, damaged]) {
    vi.stubGlobal("localStorage", place);
    await store.keep(changesOf(1), snapshot);
    store.keepAtOnce(changesOf(2), null);
    expect((await readSession(key))?.changes.local).toHaveLength(1);
    expect(await keysOfSessions("user")).toEqual([key]);
    await dropSessions("user");
    expect(await keysOfSessions("user")).toEqual([]);
  }
});
