/** A text that somebody has written and the service does not have yet. */
export type Draft = {
  readonly title: string;
  readonly text: string;
  /** The revision that it was written on. */
  readonly revision: number;
};

/** Keeps drafts on this device. */
export type DraftStore = {
  read(): Promise<Draft | undefined>;
  keep(draft: Draft): Promise<void>;
  drop(): Promise<void>;
};

const listeners = new Set<() => void>();

/** Calls a function whenever a draft was kept or dropped on this page. Returns a function that ends it. */
export function onDraftChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const databaseName = "kb-drafts";
const storeName = "drafts";

/** Returns the drafts of one document by one user. Another user of this browser does not find them. */
export function draftStore(userId: string, documentId: string): DraftStore {
  const key = `${userId}:${documentId}`;
  let last: Promise<unknown> = Promise.resolve();
  // One after another: a draft that is dropped is not written again by a slower earlier request.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
  return {
    read: () =>
      inTurn(async () => {
        const found = await run<unknown>("readonly", (store) => store.get(key));
        return isDraft(found) ? found : undefined;
      }),
    keep: (draft) => inTurn(async () => void (await run("readwrite", (store) => store.put(draft, key)))),
    drop: () => inTurn(async () => void (await run("readwrite", (store) => store.delete(key)))),
  };
}

const draftsOf = (userId: string): IDBKeyRange => IDBKeyRange.bound(`${userId}:`, `${userId};`, false, true);

/** Returns the number of documents of which this device has text by a user that the service does not have. */
export const countDrafts = (userId: string): Promise<number> =>
  run("readonly", (store) => store.count(draftsOf(userId)));

/** Deletes a user's drafts from this device. */
export async function dropDrafts(userId: string): Promise<void> {
  await run("readwrite", (store) => store.delete(draftsOf(userId)));
}

async function run<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode, { durability: "strict" });
      const request = work(transaction.objectStore(storeName));
      transaction.oncomplete = () => {
        resolve(request.result);
        if (mode === "readwrite") for (const listener of listeners) listener();
      };
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function isDraft(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && "title" in value && "text" in value && "revision" in value;
}
