/** Thrown instead of queueing work that could not be done in a bearable time; the work was not started. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/**
 * Limits how much work runs and waits at once, in order of arrival: many requests must not multiply work that takes much
 * memory or time.
 */
export class Gate {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** Whether no work runs or waits. */
  get idle(): boolean {
    return this.#running === 0;
  }

  /** @throws {BusyError} if too much work is waiting. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#maxRunning) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= this.#maxWaiting) throw new BusyError("too many are waiting");
    // The work that ends passes its place on, so `#running` does not change.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

/** Gates by key; a gate exists only while work runs or waits at it. */
export class Gates {
  readonly #createGate: () => Gate;
  readonly #gates = new Map<string, Gate>();

  constructor(maxRunning: number, maxWaiting: number) {
    this.#createGate = () => new Gate(maxRunning, maxWaiting);
  }

  /** The number of keys with work. */
  get size(): number {
    return this.#gates.size;
  }

  /** @throws {BusyError} if too much work is waiting for this key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const gate = this.#gates.get(key) ?? this.#createGate();
    this.#gates.set(key, gate);
    try {
      return await gate.run(work);
    } finally {
      if (gate.idle) this.#gates.delete(key);
    }
  }
}
