import type { Clock } from "./clock.ts";
import { holdMs } from "./times.ts";

/** A time in which an input method writes, at most 3 seconds from its last beginning. */
export class Hold {
  readonly #clock: Clock;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isHeld(): boolean {
    return this.#cancel !== null;
  }

  begin(ended: () => void): void {
    this.end();
    this.#cancel = this.#clock.after(holdMs, ended);
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
