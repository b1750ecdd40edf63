import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { FileStore } from "./store.ts";

/** A store that knows whether its last write failed for lack of space. */
export type WatchedStore = FileStore & {
  /** Whether the last write failed for lack of space. A write that succeeds resets it. */
  isOutOfSpace(): boolean;
  /** Stores and removes a small file, as a write that shows whether there is space again. */
  probeSpace(): Promise<void>;
  /**
   * Stores, reads and removes a small file, which does not show whether there is space.
   * @throws {Error} if one of these is refused
   */
  check(): Promise<void>;
  /** Whether the store can be read, by `cachedCheck`; writes nothing. Absent for a folder, for which nothing else has to run. */
  isWorking?(): Promise<boolean>;
};

/** `ENOSPC` and `EDQUOT` of a folder; the codes with which S3-compatible stores refuse a write for lack of space. */
const spaceErrors: ReadonlySet<unknown> = new Set([
  "ENOSPC",
  "EDQUOT",
  "InsufficientStorage",
  "QuotaExceeded",
  "XMinioStorageFull",
]);

const probeBytes = new Uint8Array(64 * 1024);
const checkBytes = Buffer.from("written by a check");

/** Watches the writes of a store. */
export function watchSpace(store: FileStore): WatchedStore {
  let outOfSpace = false;
  const put: FileStore["put"] = async (key, bytes, contentType) => {
    try {
      await store.put(key, bytes, contentType);
      outOfSpace = false;
    } catch (error) {
      outOfSpace = isSpaceError(error);
      throw error;
    }
  };
  return {
    put,
    get: (key, range) => store.get(key, range),
    removeBelow: (prefix) => store.removeBelow(prefix),
    isOutOfSpace: () => outOfSpace,
    async probeSpace() {
      await useFile({ ...store, put }, `space-probe/${randomUUID()}`, probeBytes, async () => {});
    },
    async check() {
      const key = `store-check/${randomUUID()}`;
      await useFile(store, key, checkBytes, async () => {
        const stored = await store.get(key);
        const isSame = stored !== null && checkBytes.equals(await buffer(stored));
        if (!isSame) throw new Error("the store does not return what was written");
      });
    },
  };
}

/** Stores a file, uses it and removes it, also after a write without an answer, which may have stored it. */
async function useFile(store: FileStore, key: string, bytes: Uint8Array, use: () => Promise<void>): Promise<void> {
  try {
    await store.put(key, oneChunk(bytes), "application/octet-stream");
    await use();
  } catch (error) {
    await store.removeBelow(key).catch(() => {});
    throw error;
  }
  await store.removeBelow(key);
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function isSpaceError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && spaceErrors.has(error.code)) || spaceErrors.has(error.name);
}
