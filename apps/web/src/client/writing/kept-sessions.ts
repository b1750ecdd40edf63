import {
  type KeptChanges,
  type KeptSession,
  type KeptSnapshot,
  readKeptChanges,
  type SessionStore,
} from "@kb/live/session";
import { reportDeviceChange } from "./device-changes.ts";
import { DeviceDatabase, keysBelow } from "./device-database.ts";
import { PageEndStore } from "./page-end-store.ts";

/** A title that the service does not have, and the one that it had. */
export type KeptTitle = { readonly title: string; readonly before: string };

type Row = {
  readonly changes: KeptChanges;
  readonly keptAt: number;
  /** When the last of its steps was written; absent in what an earlier release has kept. */
  readonly writtenAt?: number;
  /** The title of the document; absent in what an earlier release has kept. */
  readonly title?: string;
};

/** What a session has left, and when the last of it was written, in milliseconds; undefined where the device cannot read that. */
export type DatedSession = KeptSession & { readonly writtenAt: number | undefined };

/** What a session has left, for a list. */
export type LeftText = {
  readonly key: string;
  readonly title: string | undefined;
  /** Null where the device cannot read it. */
  readonly changes: KeptChanges | null;
};

/** Text that nobody asked for in this time is deleted: it is longer on no device than the service answers for it. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1_000;

/** Keys are `user:document:record`; a record belongs to one tab at a time. Titles are of `user:document`. */
const sessions = "sessions";
const snapshots = "snapshots";
const titles = "titles";
const database = new DeviceDatabase({
  name: "kb-sessions",
  stores: [sessions, snapshots, titles],
  durability: "relaxed",
});

/** Rows of sessions whose pages ended, each with its document where the database has none that leads to it, and titles. */
const pageEnds = {
  [sessions]: new PageEndStore("kb-sessions", database),
  [titles]: new PageEndStore("kb-titles", database),
};

async function change<Result>(work: (transaction: IDBTransaction) => IDBRequest<Result>): Promise<Result> {
  const result = await database.run("readwrite", work);
  reportDeviceChange();
  return result;
}

/**
 * Returns the place for a session on this device, with what an earlier one has left there. Its calls fail without storage, or without
 * room.
 */
export function sessionStore(key: string, title: string, kept: DatedSession | null): SessionStore {
  let steps = kept?.changes.local.length ?? 0;
  let writtenAt = kept?.writtenAt;
  const rowOf = (changes: KeptChanges): Row => {
    const { length } = changes.local;
    const keptAt = Date.now();
    // What is only sent, or rebased, is as old as before.
    if (writtenAt === undefined || length > steps) writtenAt = keptAt;
    steps = length;
    return { changes, keptAt, writtenAt, title };
  };
  return {
    keep: (changes, snapshot) =>
      pageEnds.sessions.replacedBy(key, async () => {
        const row = rowOf(changes);
        const found = await change((transaction) => {
          const documents = transaction.objectStore(snapshots);
          if (snapshot !== null) documents.put(snapshot, key);
          const counting = documents.count(key);
          counting.onsuccess = () => counting.result > 0 && transaction.objectStore(sessions).put(row, key);
          return counting;
        });
        return found > 0;
      }),
    keepAtOnce: (changes, snapshot) => pageEnds.sessions.keep(key, { row: rowOf(changes), snapshot }),
    drop: async () => {
      steps = 0;
      pageEnds.sessions.drop(key);
      await change((transaction) => transaction.objectStore(sessions).delete(key));
    },
  };
}

/** Returns the keys of what a user has left, of one document or of all. */
export const keysOfSessions = (userId: string, ...documentId: readonly string[]): Promise<readonly string[]> =>
  keysWithPageEnds(sessions, userId, ...documentId);

async function keysWithPageEnds(store: keyof typeof pageEnds, ...parts: readonly string[]): Promise<readonly string[]> {
  const rows = await keysIn(store, ...parts);
  return [...new Set([...rows, ...pageEnds[store].keysBelow(...parts)])];
}

async function keysIn(store: string, ...parts: readonly string[]): Promise<readonly string[]> {
  const keys = await database.run("readonly", (transaction) =>
    transaction.objectStore(store).getAllKeys(keysBelow(...parts)),
  );
  return keys.map(String);
}

/**
 * Returns what a session has left; null without text, or where its document was deleted and the text is not of the service's time.
 * @throws {Error} where the text is there, and the device cannot read it
 */
export async function readSession(key: string): Promise<DatedSession | null> {
  const { row, snapshot: own } = await readLatest(key);
  if (row === undefined || (isRow(row) && row.keptAt < Date.now() - maxAgeMs)) return null;
  // Browsers keep large values apart, and may lose one without the other.
  const snapshot = own ?? (await readFrom(snapshots, key).catch(() => undefined));
  const writtenAt = isRow(row) ? (row.writtenAt ?? row.keptAt) : undefined;
  return { changes: changesIn(row), snapshot: isSnapshot(snapshot) ? snapshot : noSnapshot, writtenAt };
}

/** Returns the row of a session, and the document that was written with it if its page ended. */
async function readLatest(key: string): Promise<{ readonly row: unknown; readonly snapshot?: unknown }> {
  const entry = pageEnds.sessions.read(key);
  if (!isPageEndEntry(entry)) return { row: await readFrom(sessions, key) };
  const row = await readFrom(sessions, key).catch(() => undefined);
  return isRow(row) && row.keptAt > entry.row.keptAt ? { row } : entry;
}

const readFrom = (store: string, key: string): Promise<unknown> =>
  database.run<unknown>("readonly", (transaction) => transaction.objectStore(store).get(key));

function changesIn(row: unknown): KeptChanges {
  const changes = isRow(row) ? readKeptChanges(row.changes) : null;
  if (changes === null) throw new Error("Unreadable");
  return changes;
}

/** Returns what the sessions of a user have left, whether their documents can be opened or not. */
export async function readLeftTexts(userId: string): Promise<readonly LeftText[]> {
  const keys = await keysOfSessions(userId);
  return (await Promise.all(keys.map(readLeftText))).flat();
}

async function readLeftText(key: string): Promise<readonly LeftText[]> {
  const { row } = await readLatest(key).catch(() => ({ row: null }));
  // The service has it since it was listed.
  if (row === undefined) return [];
  const title = titleIn(row);
  try {
    return [{ key, title, changes: changesIn(row) }];
  } catch {
    return [{ key, title, changes: null }];
  }
}

/** Deletes what a session has left, with its document. */
export async function dropSession(key: string): Promise<void> {
  pageEnds.sessions.drop(key);
  await change((transaction) => {
    transaction.objectStore(snapshots).delete(key);
    return transaction.objectStore(sessions).delete(key);
  });
}

/** What nothing can go on from: the text of the steps is offered without a place. */
const noSnapshot: KeptSnapshot = { lineage: "", version: 0, content: null };

/** Forgets the document of a session that has left no text. */
export async function dropUnusedSnapshot(key: string): Promise<void> {
  await database.run("readwrite", (transaction) => {
    const counting = transaction.objectStore(sessions).count(key);
    counting.onsuccess = () => {
      if (counting.result === 0 && pageEnds.sessions.read(key) === undefined)
        transaction.objectStore(snapshots).delete(key);
    };
    return counting;
  });
}

/** Returns the keys of a user's documents on this device, with text or without. */
export const keysOfSnapshots = (userId: string): Promise<readonly string[]> => keysIn(snapshots, userId);

/** Returns the ids of the documents of which this device has text by a user from the editor. */
export async function documentsOfSessions(userId: string): Promise<readonly string[]> {
  const keys = await Promise.all([keysOfSessions(userId), keysWithPageEnds(titles, userId)]);
  return keys.flat().map((key) => key.split(":")[1] ?? "");
}

/** Deletes all that a user's sessions have left on this device. */
export async function dropSessions(userId: string): Promise<void> {
  for (const kept of Object.values(pageEnds)) for (const key of kept.keysBelow(userId)) kept.drop(key);
  await change((transaction) => {
    transaction.objectStore(snapshots).delete(keysBelow(userId));
    transaction.objectStore(titles).delete(keysBelow(userId));
    return transaction.objectStore(sessions).delete(keysBelow(userId));
  });
}

/** Returns the titles that a user has written and the service does not have. */
export async function readKeptTitles(
  userId: string,
): Promise<readonly (KeptTitle & { readonly documentId: string })[]> {
  const documents = (await keysWithPageEnds(titles, userId)).map((key) => key.split(":")[1] ?? "");
  const found = documents.map(async (documentId) => {
    const title = await titleStore(userId, documentId).read();
    return title === undefined ? [] : [{ ...title, documentId }];
  });
  return (await Promise.all(found)).flat();
}

/** The title of a document that a user has written, while the service does not have it. */
export const titleStore = (userId: string, documentId: string) => {
  const key = `${userId}:${documentId}`;
  /** The title that this page has written to the database, until it writes another one. */
  let written: string | undefined;
  return {
    read: async (): Promise<KeptTitle | undefined> => {
      const found =
        pageEnds.titles.read(key) ??
        (await database.run<unknown>("readonly", (transaction) => transaction.objectStore(titles).get(key)));
      return isTitle(found) ? found : undefined;
    },
    keep: async (title: KeptTitle): Promise<void> => {
      written = undefined;
      const put = () => change((transaction) => transaction.objectStore(titles).put(title, key));
      await pageEnds.titles.replacedBy(key, put);
      written = title.title;
    },
    /** Keeps a title before it returns, because the page may end now. One that it had kept may be newer there, from another tab. */
    keepAtOnce: (title: KeptTitle): void => {
      if (title.title !== written) pageEnds.titles.keep(key, title);
    },
    drop: (): Promise<unknown> => {
      written = undefined;
      pageEnds.titles.drop(key);
      return change((transaction) => transaction.objectStore(titles).delete(key));
    },
  };
};

/** This app has written it, in this version of the database. */
const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && "changes" in value && "keptAt" in value;
const isPageEndEntry = (value: unknown): value is { readonly row: Row; readonly snapshot: unknown } =>
  typeof value === "object" && value !== null && "row" in value && isRow(value.row);
const titleIn = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "title" in value ? String(value.title) : undefined;
const isSnapshot = (value: unknown): value is KeptSnapshot =>
  typeof value === "object" && value !== null && "content" in value;
const isTitle = (value: unknown): value is KeptTitle =>
  typeof value === "object" && value !== null && "title" in value && "before" in value;
