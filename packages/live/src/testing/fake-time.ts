import type { Clock } from "../session/clock.ts";
import { loadOpenAgain } from "../session/load-open-again.ts";
import type { Random } from "./random.ts";

type Task = { readonly at: number; readonly run: () => void };

/** A time that moves on only from task to task. */
export class FakeTime implements Clock {
  readonly #random: Random;
  #tasks: Task[] = [];
  #now = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const task = { at: this.#now + ms, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((one) => one !== task);
    };
  }

  random(): number {
    return this.#random.below(1_000) / 1_000;
  }

  /** Runs the tasks in their order until a time is reached, or a condition holds. */
  async runUntil(end: number, isEnough: () => boolean = () => false): Promise<void> {
    // A module takes real time to load.
    await loadOpenAgain();
    for (;;) {
      await settled();
      const next = this.#tasks.reduce<Task | undefined>(
        (best, task) => (best && best.at <= task.at ? best : task),
        undefined,
      );
      if (isEnough()) return;
      if (next === undefined || next.at > end) {
        this.#now = Math.max(this.#now, end);
        return;
      }
      this.#tasks = this.#tasks.filter((task) => task !== next);
      this.#now = next.at;
      next.run();
    }
  }
}

/** Lets everything go on that waits for nothing but promises. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
