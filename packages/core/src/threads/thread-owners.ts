import { LastActive } from "./last-active.ts";

/** Time for which an owner counts as active after a task, in milliseconds. */
const activeMs = 10_000;

/** Counts the threads that each owner holds. */
export class ThreadOwners {
  readonly #threads = new Map<string, number>();
  readonly #active = new LastActive(activeMs);
  #running = 0;

  /** The threads that run tasks. */
  get running(): number {
    return this.#running;
  }

  /** Remembers that an owner has a task. */
  note(owner: string): void {
    this.#active.note(owner);
  }

  /** Whether an owner may take one of so many threads. While others have tasks, it leaves one of several to them. */
  mayTake(owner: string, threads: number): boolean {
    if (this.#running >= threads) return false;
    const own = this.#threads.get(owner) ?? 0;
    return own === 0 || own < threads - 1 || !this.#active.hasOther(owner);
  }

  take(owner: string): void {
    this.#running += 1;
    this.#threads.set(owner, (this.#threads.get(owner) ?? 0) + 1);
  }

  free(owner: string): void {
    this.#running -= 1;
    const left = (this.#threads.get(owner) ?? 0) - 1;
    if (left > 0) this.#threads.set(owner, left);
    else this.#threads.delete(owner);
  }
}
