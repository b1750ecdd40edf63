type Options = {
  readonly name: string;
  readonly stores: readonly string[];
  /** `strict` waits for the disk; with `relaxed`, a crash of the whole machine may take the last moment. */
  readonly durability: IDBTransactionDurability;
};

/** A database on this device. Its calls fail where the browser has no storage, or no room. */
export class DeviceDatabase {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Returns the result of a request once its transaction is complete. @throws {DOMException} */
  async run<Result>(
    mode: IDBTransactionMode,
    work: (transaction: IDBTransaction) => IDBRequest<Result>,
  ): Promise<Result> {
    const { stores, durability } = this.#options;
    const database = await this.#open();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(stores, mode, { durability });
        const request = work(transaction);
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  }

  #open(): Promise<IDBDatabase> {
    const { name, stores } = this.#options;
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        for (const store of stores) request.result.createObjectStore(store);
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }
}

/** Returns the range of the keys that begin with some parts; each part ends with a colon. */
export const keysBelow = (...parts: readonly string[]): IDBKeyRange => {
  const prefix = parts.join(":");
  return IDBKeyRange.bound(`${prefix}:`, `${prefix};`, false, true);
};
