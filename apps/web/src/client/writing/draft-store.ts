import { reportDeviceChange } from "./device-changes.ts";
import { DeviceDatabase, keysBelow } from "./device-database.ts";
import { PageEndStore } from "./page-end-store.ts";

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
  /** Keeps a draft before it returns, because the page may end now. Does nothing without room. */
  keepAtOnce(draft: Draft): void;
  drop(): Promise<void>;
};

const storeName = "drafts";
const database = new DeviceDatabase({ name: "kb-drafts", stores: [storeName], durability: "strict" });
const pageEnds = new PageEndStore("kb-drafts", database);

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
        const found = pageEnds.read(key) ?? (await run<unknown>("readonly", (store) => store.get(key)));
        return isDraft(found) ? found : undefined;
      }),
    keep: (draft) =>
      pageEnds.replacedBy(key, () =>
        inTurn(async () => void (await run("readwrite", (store) => store.put(draft, key)))),
      ),
    keepAtOnce: (draft) => pageEnds.keep(key, draft),
    drop: () => {
      pageEnds.drop(key);
      return inTurn(async () => void (await run("readwrite", (store) => store.delete(key))));
    },
  };
}

/** Returns the ids of the documents of which this device has text by a user that the service does not have. */
export async function documentsOfDrafts(userId: string): Promise<readonly string[]> {
  const keys = await run("readonly", (store) => store.getAllKeys(keysBelow(userId)));
  const all = new Set([...keys.map(String), ...pageEnds.keysBelow(userId)]);
  return [...all].map((key) => key.split(":")[1] ?? "");
}

/** Deletes a user's drafts from this device. */
export async function dropDrafts(userId: string): Promise<void> {
  for (const key of pageEnds.keysBelow(userId)) pageEnds.drop(key);
  await run("readwrite", (store) => store.delete(keysBelow(userId)));
}

async function run<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const result = await database.run(mode, (transaction) => work(transaction.objectStore(storeName)));
  if (mode === "readwrite") reportDeviceChange();
  return result;
}

function isDraft(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && "title" in value && "text" in value && "revision" in value;
}
