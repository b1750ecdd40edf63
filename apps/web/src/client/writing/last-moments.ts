import type { DeviceDatabase } from "./device-database.ts";

/**
 * What pages wrote in their last moment. A browser gives up what is on its way to a database when a page ends, and
 * `localStorage` is all that it writes before. What is here is newer than what the database has of the same key.
 */
export class LastMoments {
  readonly #prefix: string;
  readonly #database: Pick<DeviceDatabase, "isOpen">;

  constructor(name: string, database: Pick<DeviceDatabase, "isOpen">) {
    this.#prefix = `${name}:`;
    this.#database = database;
  }

  /** Returns what was written; undefined if nothing was. @throws {SyntaxError} where it is damaged */
  read(key: string): unknown {
    const text = this.#text(key);
    return text === null ? undefined : JSON.parse(text);
  }

  /** Returns the keys that begin with some parts; each part ends with a colon. */
  keysBelow(...parts: readonly string[]): readonly string[] {
    const below = `${this.#prefix}${parts.join(":")}:`;
    const keys = use(Object.keys) ?? [];
    return keys.filter((key) => key.startsWith(below)).map((key) => key.slice(this.#prefix.length));
  }

  /** Writes a value before it returns, unless there is no database to read it beside. Without room, the earlier one counts. */
  keep(key: string, value: unknown): void {
    if (!this.#database.isOpen) return;
    use((storage) => storage.setItem(this.#prefix + key, JSON.stringify(value)));
  }

  drop(key: string): void {
    use((storage) => storage.removeItem(this.#prefix + key));
  }

  /** Waits until the database has something newer, and drops what was written before that began; not where that returns false. */
  async replacedBy<Result>(key: string, write: () => Promise<Result>): Promise<Result> {
    const before = this.#text(key);
    const result = await write();
    if (result !== false && before !== null && before === this.#text(key)) this.drop(key);
    return result;
  }

  #text(key: string): string | null {
    return use((storage) => storage.getItem(this.#prefix + key)) ?? null;
  }
}

/** Returns undefined where the browser has no storage, no room, or cannot read it: the database counts then. */
function use<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}
