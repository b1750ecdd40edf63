import { tooManyBodies } from "./body-turns.ts";

/** Bounds of the large bodies of one owner. */
type RoomLimits = {
  /** Bytes that are read or parsed at once. */
  readonly bytes: number;
  /** Bodies that wait for room. */
  readonly waiting: number;
  /** Time for which one waits. Others free their room within it, unless their clients send slowly. */
  readonly waitMs: number;
};

const defaultLimits: RoomLimits = { bytes: 32 * 1024 ** 2, waiting: 64, waitMs: 20_000 };

type Waiting = { readonly bytes: number; readonly admit: () => void };
type Owned = { used: number; readonly waiting: Waiting[] };

/**
 * Bounds the bytes of the large bodies of each owner that are in memory at once, from the first byte that is read. A body
 * without room is not read yet, so that its client has to wait. Owners do not wait for each other: a client that sends slowly
 * keeps others of its owner waiting at most.
 */
export class BodyRoom {
  readonly #limits: RoomLimits;
  readonly #owners = new Map<string, Owned>();

  constructor(limits: RoomLimits = defaultLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for room for a body, and returns a function that frees it. A body has room alone, however large it is.
   * @param owner the user or address whose bodies wait for each other
   * @throws {ServiceError} `unavailable` if too many wait, or this one has waited for too long
   */
  async enter(owner: string, bytes: number): Promise<() => void> {
    const owned = this.#owners.get(owner) ?? { used: 0, waiting: [] };
    this.#owners.set(owner, owned);
    if (owned.waiting.length > 0 || !this.#fits(owned, bytes)) await this.#wait(owned, bytes);
    else owned.used += bytes;
    return () => this.#leave(owner, owned, bytes);
  }

  #fits({ used }: Owned, bytes: number): boolean {
    return used === 0 || used + bytes <= this.#limits.bytes;
  }

  async #wait(owned: Owned, bytes: number): Promise<void> {
    if (owned.waiting.length >= this.#limits.waiting) throw tooManyBodies();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Waiting = { bytes, admit: resolve };
    owned.waiting.push(entry);
    const timer = setTimeout(() => {
      owned.waiting.splice(owned.waiting.indexOf(entry), 1);
      reject(tooManyBodies());
      // A smaller one behind it may fit.
      this.#admit(owned);
    }, this.#limits.waitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  #leave(owner: string, owned: Owned, bytes: number): void {
    owned.used -= bytes;
    this.#admit(owned);
    if (owned.used === 0) this.#owners.delete(owner);
  }

  /** Admits those who have waited longest, as far as there is room. */
  #admit(owned: Owned): void {
    for (let [next] = owned.waiting; next !== undefined && this.#fits(owned, next.bytes); [next] = owned.waiting) {
      owned.waiting.shift();
      owned.used += next.bytes;
      next.admit();
    }
  }
}
