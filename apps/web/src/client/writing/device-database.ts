type Options = {
  readonly name: string;
  readonly stores: readonly string[];
  /** `strict` waits for the disk; with `relaxed`, a crash of the whole machine may take the last moment. */
  readonly durability: IDBTransactionDurability;
};

/** A database on this device. Its calls fail where the browser has no storage, or no room. It stays open once it was used. */
export class DeviceDatabase {
  readonly #options: Options;
  #opening: Promise<IDBDatabase> | undefined;
  #isOpen = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether the browser has it; false until it is used. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns the result of a request once its transaction is complete. @throws {DOMException} */
  async run<Result>(
    mode: IDBTransactionMode,
    work: (transaction: IDBTransaction) => IDBRequest<Result>,
  ): Promise<Result> {
    const database = await this.#open();
    return new Promise((resolve, reject) => {
      const { stores, durability } = this.#options;
      const transaction = database.transaction(stores, mode, { durability });
      const request = work(transaction);
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  #open(): Promise<IDBDatabase> {
    this.#opening ??= this.#openNow().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  #openNow(): Promise<IDBDatabase> {
    const { name, stores } = this.#options;
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        for (const store of stores) request.result.createObjectStore(store);
      };
      request.onsuccess = () => resolve(this.#keepOpen(request.result));
      request.onerror = () => reject(request.error);
    });
  }

  /** Browsers close a database whose data the reader deletes; the next call opens it again. */
  #keepOpen(database: IDBDatabase): IDBDatabase {
    const forget = (): void => {
      this.#isOpen = false;
      this.#opening = undefined;
    };
    database.onclose = forget;
    database.onversionchange = () => {
      database.close();
      forget();
    };
    this.#isOpen = true;
    return database;
  }
}

/** Returns the range of the keys that begin with some parts; each part ends with a colon. */
export const keysBelow = (...parts: readonly string[]): IDBKeyRange => {
  const prefix = parts.join(":");
  return IDBKeyRange.bound(`${prefix}:`, `${prefix};`, false, true);
};
