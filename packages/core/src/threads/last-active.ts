/** Remembers who was active last, to tell a caller whether anybody else is. */
export class LastActive {
  readonly #forMs: number;
  #last = { name: "", at: Number.NEGATIVE_INFINITY };
  /** The last one with another name. */
  #before = this.#last;

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  note(name: string): void {
    if (name !== this.#last.name) this.#before = this.#last;
    this.#last = { name, at: performance.now() };
  }

  /** Whether somebody with another name was active lately. */
  hasOther(name: string): boolean {
    const { at } = this.#last.name === name ? this.#before : this.#last;
    return performance.now() - at <= this.#forMs;
  }
}
