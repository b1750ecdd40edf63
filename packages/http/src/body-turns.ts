import { FairQueue, ServiceError } from "@kb/core";

/** Bytes of the large bodies that wait, in all and of one owner. */
type WaitingLimits = { readonly bytes: number; readonly bytesPerOwner: number };

const defaultLimits: WaitingLimits = { bytes: 256_000_000, bytesPerOwner: 64_000_000 };
const retryAfterSeconds = 2;

/**
 * Lets one large body at a time use the event loop: together, 40 bodies of 5 MB would keep it from all other requests for
 * seconds. Others have a turn between two bodies, owners take turns, and the bytes that wait are bounded.
 */
export class BodyTurns {
  readonly #limits: WaitingLimits;
  readonly #queue = new FairQueue<() => void>();
  readonly #waitingOf = new Map<string, number>();
  #waiting = 0;
  #isTaken = false;

  constructor(limits: WaitingLimits = defaultLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` when its turn comes, and returns its result.
   * @param owner the user or address whose bodies wait for each other first
   * @param bytes the size of the body
   * @throws {ServiceError} `unavailable` if too many bytes wait
   */
  async run<T>(owner: string, bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#isTaken) await this.#wait(owner, bytes);
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#isTaken = false;
      else setImmediate(next);
    }
  }

  async #wait(owner: string, bytes: number): Promise<void> {
    const own = (this.#waitingOf.get(owner) ?? 0) + bytes;
    if (own > this.#limits.bytesPerOwner || this.#waiting + bytes > this.#limits.bytes) throw busy();
    this.#waiting += bytes;
    this.#waitingOf.set(owner, own);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#queue.push(owner, resolve);
    await promise;
    this.#waiting -= bytes;
    const left = (this.#waitingOf.get(owner) ?? bytes) - bytes;
    if (left === 0) this.#waitingOf.delete(owner);
    else this.#waitingOf.set(owner, left);
  }
}

function busy(): ServiceError {
  const message = "Too many large requests are being read. Try again shortly, or send fewer at once.";
  return new ServiceError("unavailable", message, { retryAfterSeconds });
}
