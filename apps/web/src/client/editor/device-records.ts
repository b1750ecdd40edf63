import type { SessionStore } from "@kb/live/session";
import {
  type DatedSession,
  dropUnusedSnapshot,
  keysOfSessions,
  keysOfSnapshots,
  readSession,
  sessionStore,
} from "../writing/kept-sessions.ts";
import { lockOfSession as lockOf, takeLock } from "../writing/record-lock.ts";
import { newUuid } from "./new-uuid.ts";

/** The place on this device for the session of one tab. */
export type DeviceRecord = {
  readonly store: SessionStore;
  /** What an earlier session has left there. */
  readonly kept: DatedSession | null;
  /** Gives the record back; what it has stays for the next tab. */
  readonly end: () => Promise<void>;
};

/**
 * Takes what earlier sessions of a user have left of a document and no other tab has: the first is to go on from, the others
 * are to be sent. Without any, the first is new. Says where the device has something that it cannot read.
 */
export async function takeRecords(
  userId: string,
  documentId: string,
  title: string,
  sayUnreadable: () => void,
): Promise<[DeviceRecord, ...DeviceRecord[]]> {
  // Without storage on the device nothing is kept.
  const keys = await keysOfSessions(userId, documentId).catch(() => []);
  void sweep(userId).catch(() => undefined);
  const found = await Promise.all(keys.map((key) => take(key, title)));
  if (found.includes("unreadable")) sayUnreadable();
  const taken = found.filter((record) => typeof record === "object");
  const [first, ...others] = taken.sort((a, b) => stepsOf(b) - stepsOf(a));
  if (first !== undefined) return [first, ...others];
  return [await requireNew(`${userId}:${documentId}:${newUuid()}`, title)];
}

/** How long a record is waited for. */
const leavingMs = 1_000;
const sweepMs = 50;

const stepsOf = ({ kept }: DeviceRecord): number => kept?.changes.local.length ?? 0;

async function take(key: string, title: string): Promise<DeviceRecord | "unreadable" | undefined> {
  const release = await takeLock(lockOf(key), leavingMs);
  if (release === undefined) return undefined;
  const kept = await readSession(key).catch(() => "unreadable" as const);
  if (kept === "unreadable") {
    // It stays: the device may read it another time.
    release();
    return kept;
  }
  const record = recordOf({ key, title }, release, kept);
  if (record.kept !== null) return record;
  // Too old, or dropped since it was listed.
  await record.store.drop().catch(() => undefined);
  await record.end();
  return undefined;
}

/** Nobody else knows a new key. */
async function requireNew(key: string, title: string): Promise<DeviceRecord> {
  const release = await takeLock(lockOf(key), leavingMs);
  return recordOf({ key, title }, release ?? (() => undefined), null);
}

type Place = { readonly key: string; readonly title: string };

const recordOf = ({ key, title }: Place, release: () => void, kept: DatedSession | null): DeviceRecord => ({
  store: sessionStore(key, title, kept),
  kept,
  end: async () => {
    await dropUnusedSnapshot(key).catch(() => undefined);
    release();
  },
});

/** Deletes the documents of tabs that were closed with everything saved. */
async function sweep(userId: string): Promise<void> {
  const used = new Set(await keysOfSessions(userId));
  for (const key of await keysOfSnapshots(userId)) {
    if (used.has(key)) continue;
    const release = await takeLock(lockOf(key), sweepMs);
    if (release === undefined) continue;
    await dropUnusedSnapshot(key).finally(release);
  }
}
