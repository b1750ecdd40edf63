import { FairQueue, ServiceError } from "@kb/core";

/** Bytes of the large bodies of all owners that wait. */
const defaultWaitingBytes = 256_000_000;
const retryAfterSeconds = 2;

/**
 * Lets one large body at a time use the event loop: together, 40 bodies of 5 MB would keep it from all other requests for
 * seconds. Others have a turn between two bodies, owners take turns, and the bytes that wait are bounded.
 */
export class BodyTurns {
  readonly #waitingBytes: number;
  readonly #queue = new FairQueue<() => void>();
  #waiting = 0;
  #isTaken = false;

  constructor(waitingBytes = defaultWaitingBytes) {
    this.#waitingBytes = waitingBytes;
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
    if (this.#waiting + bytes > this.#waitingBytes) throw tooManyBodies();
    this.#waiting += bytes;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#queue.push(owner, resolve);
    await promise;
    this.#waiting -= bytes;
  }
}

/** Returns the error for a body that would wait behind too many others. */
export function tooManyBodies(): ServiceError {
  const message = "Too many large requests are being read. Try again shortly, or send fewer at once.";
  return new ServiceError("unavailable", message, { retryAfterSeconds });
}
