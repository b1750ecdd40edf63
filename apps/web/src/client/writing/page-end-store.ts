import type { DeviceDatabase } from "./device-database.ts";

/**
 * Text that pages kept as they ended. Chromium gives up writes to a database that are on their way then, and only `localStorage` is
 * written before that. An entry is newer than the database row of its key, but for a crash right after that was written.
 */
export class PageEndStore {
  readonly #prefix: string;
  readonly #database: Pick<DeviceDatabase, "isOpen">;

  constructor(name: string, database: Pick<DeviceDatabase, "isOpen">) {
    this.#prefix = `${name}:`;
    this.#database = database;
  }

  /** Returns the value of an entry; undefined if there is none, or it is damaged. */
  read(key: string): unknown {
    const text = this.#text(key);
    return tryStorage(() => (text === null ? undefined : JSON.parse(text).value));
  }

  /** Returns the keys that begin with some parts; each part ends with a colon. */
  keysBelow(...parts: readonly string[]): readonly string[] {
    const below = `${this.#prefix}${parts.join(":")}:`;
    const keys = tryStorage(Object.keys) ?? [];
    return keys.filter((key) => key.startsWith(below)).map((key) => key.slice(this.#prefix.length));
  }

  /** Writes a value before it returns, unless there is no database to read it beside. Without room, the earlier one counts. */
  keep(key: string, value: unknown): void {
    if (!this.#database.isOpen) return;
    // The time tells two entries with the same text apart.
    tryStorage((storage) => storage.setItem(this.#prefix + key, JSON.stringify({ value, at: performance.now() })));
  }

  drop(key: string): void {
    tryStorage((storage) => storage.removeItem(this.#prefix + key));
  }

  /** Waits until the database has something newer, and drops the entry that was there before that began; not where it returns false. */
  async replacedBy<Result>(key: string, write: () => Promise<Result>): Promise<Result> {
    const before = this.#text(key);
    const result = await write();
    if (result !== false && before !== null && before === this.#text(key)) this.drop(key);
    return result;
  }

  #text(key: string): string | null {
    return tryStorage((storage) => storage.getItem(this.#prefix + key)) ?? null;
  }
}

/** Returns undefined where the browser has no storage, no room, or cannot read it: the database counts then. */
function tryStorage<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}
