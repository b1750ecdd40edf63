/** More waits than can be served in a bearable time: the work was not begun. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/**
 * Lets so many run at once and so many wait, in the order in which they came: what takes much memory or time must not be
 * multiplied by whoever sends many requests.
 */
export class Gate {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** Nobody runs and nobody waits. */
  get idle(): boolean {
    return this.#running === 0;
  }

  /** @throws {BusyError} where too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= this.#maxWaiting) throw new BusyError("too many are waiting");
    // Whoever leaves hands their place on: the number of those who run stays as it is.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

/** A gate for each key, for as long as somebody is at it. */
export class Gates {
  readonly #open: () => Gate;
  readonly #gates = new Map<string, Gate>();

  constructor(atOnce: number, maxWaiting: number) {
    this.#open = () => new Gate(atOnce, maxWaiting);
  }

  /** Keys at whose gates somebody is. */
  get size(): number {
    return this.#gates.size;
  }

  /** @throws {BusyError} where too many wait for this key already. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const gate = this.#gates.get(key) ?? this.#open();
    this.#gates.set(key, gate);
    try {
      return await gate.run(work);
    } finally {
      if (gate.idle) this.#gates.delete(key);
    }
  }
}
