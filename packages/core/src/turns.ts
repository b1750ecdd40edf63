import { ServiceError } from "./errors.ts";

/** A writer that waited so long is told to come back, in milliseconds. */
const maxWaitMs = 20_000;

/**
 * Lets those who change the same thing in one process go one after the other, before they take a connection: fifty writers
 * of one document then hold one connection instead of all, and others are not kept waiting for the pool. The row lock
 * stays what makes it right; this only makes it fair.
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Runs `work` when all that came before it under the same key has ended.
   * @throws {ServiceError} `unavailable` when its turn does not come in time; `work` has not begun then.
   */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const mine = before === undefined ? ended : before.then(() => ended);
    this.#last.set(key, mine);
    try {
      if (before !== undefined) await inTime(before);
      return await work();
    } finally {
      end();
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}

async function inTime(before: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const busy = new ServiceError("unavailable", "Too many changes are waiting for this document.", {
    retryAfterSeconds: 1,
  });
  const timer = setTimeout(() => reject(busy), maxWaitMs);
  try {
    await Promise.race([before, late]);
  } finally {
    clearTimeout(timer);
  }
}
