import { ServiceError } from "./errors.ts";

/** A writer that has waited this long is refused and may retry. */
const maxWaitMs = 20_000;

/**
 * Runs work with the same key one after another within a process, before it takes a database connection. Fifty writers of
 * one document then hold one connection instead of the whole pool. Only the row lock guarantees correctness; the queue
 * adds fairness.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Runs `work` after all earlier work with the same key has ended.
   * @throws {ServiceError} `unavailable` when that takes too long; `work` has not started then.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(key);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const own = previous === undefined ? ended : previous.then(() => ended);
    this.#last.set(key, own);
    try {
      if (previous !== undefined) await waitFor(previous);
      return await work();
    } finally {
      end();
      if (this.#last.get(key) === own) this.#last.delete(key);
    }
  }
}

async function waitFor(previous: Promise<void>): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const busy = new ServiceError("unavailable", "Too many changes are waiting for this document.", {
    retryAfterSeconds: 1,
  });
  const timer = setTimeout(() => reject(busy), maxWaitMs);
  try {
    await Promise.race([previous, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
