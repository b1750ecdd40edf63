/** Measures for how long an answer has waited for its client in all, and calls `onSlow` once that is too long. */
export class ClientWait {
  readonly #onSlow: () => void;
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(mostMs: number, onSlow: () => void) {
    this.#leftMs = mostMs;
    this.#onSlow = onSlow;
  }

  /** Passes the parts of an answer on. Between two of them, it waits for the client. */
  async *watch<Part>(parts: AsyncIterable<Part> | Iterable<Part>): AsyncGenerator<Part> {
    try {
      for await (const part of parts) {
        this.#begin();
        yield part;
        this.#end();
      }
    } finally {
      clearTimeout(this.#timer);
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
