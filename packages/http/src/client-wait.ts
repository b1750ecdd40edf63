import { takeTurn } from "@kb/telemetry";

/**
 * Makes the parts of an answer in turns of its caller, measures for how long the answer has waited for its client and for these
 * turns in all, and calls `onSlow` once that is too long.
 */
export class ClientWait {
  readonly #onSlow: () => void;
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(mostMs: number, onSlow: () => void) {
    this.#leftMs = mostMs;
    this.#onSlow = onSlow;
  }

  /** Passes the parts of an answer on. Between two of them, it waits. */
  async *watch<Part>(parts: AsyncIterable<Part> | Iterable<Part>): AsyncGenerator<Part> {
    const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
    try {
      for (;;) {
        const next = await this.#makeNext(iterator);
        if (next.done === true) return;
        this.#begin();
        yield next.value;
        this.#end();
      }
    } finally {
      clearTimeout(this.#timer);
      await iterator.return?.();
    }
  }

  async #makeNext<Part>(iterator: AsyncIterator<Part> | Iterator<Part>): Promise<IteratorResult<Part>> {
    this.#begin();
    const endTurn = await takeTurn("go on");
    this.#end();
    try {
      return await iterator.next();
    } finally {
      endTurn();
    }
  }

  #begin(): void {
    if (this.#leftMs <= 0) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => {
      this.#leftMs = 0;
      this.#onSlow();
    }, this.#leftMs);
    this.#timer.unref();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since));
  }
}
