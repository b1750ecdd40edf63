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
  #opened: IDBDatabase | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Returns the result of a request once its transaction is complete. @throws {DOMException} */
  async run<Result>(
    mode: IDBTransactionMode,
    work: (transaction: IDBTransaction) => IDBRequest<Result>,
  ): Promise<Result> {
    const database = await this.#open();
    return new Promise((resolve, reject) => {
      const transaction = this.#begin(database, mode);
      const request = work(transaction);
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  /** Writes without waiting for an answer, in a page that ends now; nothing where the database was not used before. */
  writeAtOnce(work: (transaction: IDBTransaction) => void): void {
    if (this.#opened === undefined) return;
    const transaction = this.#begin(this.#opened, "readwrite");
    work(transaction);
    transaction.commit();
  }

  #begin(database: IDBDatabase, mode: IDBTransactionMode): IDBTransaction {
    const { stores, durability } = this.#options;
    return database.transaction(stores, mode, { durability });
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
      this.#opening = undefined;
      this.#opened = undefined;
    };
    database.onclose = forget;
    database.onversionchange = () => {
      database.close();
      forget();
    };
    this.#opened = database;
    return database;
  }
}

/** Returns the range of the keys that begin with some parts; each part ends with a colon. */
export const keysBelow = (...parts: readonly string[]): IDBKeyRange => {
  const prefix = parts.join(":");
  return IDBKeyRange.bound(`${prefix}:`, `${prefix};`, false, true);
};
