import { ServiceError } from "@kb/core";

/** Bounds of the heavy answers of a process. */
type HeavyAnswerLimits = {
  /** Answers that are being sent, in all and to one caller. */
  readonly running: number;
  readonly runningPerOwner: number;
  /** Answers that wait, in all and of one caller. */
  readonly waiting: number;
  readonly waitingPerOwner: number;
};

/** The number of bytes from which an answer is heavy. */
export const heavyBytes = 1_000_000;

const defaultLimits: HeavyAnswerLimits = { running: 4, runningPerOwner: 2, waiting: 32, waitingPerOwner: 8 };
const retryAfterSeconds = 2;

type Waiting = { readonly owner: string; readonly admit: () => void };

/** Lets a few heavy answers be sent at once, at most some of them to one caller. The others wait, in order. */
export class HeavyAnswers {
  readonly #limits: HeavyAnswerLimits;
  readonly #running = new Map<string, number>();
  #total = 0;
  #waiting: Waiting[] = [];

  constructor(limits: HeavyAnswerLimits = defaultLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn; returns the function that ends it.
   * @param owner the user or channel that receives the answer
   * @param signal ends the wait when the client disconnects
   * @throws {ServiceError} `unavailable` if too many wait, or the client has disconnected
   */
  async enter(owner: string, signal: AbortSignal): Promise<() => void> {
    if (this.#mayRun(owner)) return this.#start(owner);
    const { waiting, waitingPerOwner } = this.#limits;
    const own = this.#waiting.filter((other) => other.owner === owner).length;
    if (this.#waiting.length >= waiting || own >= waitingPerOwner) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const entry: Waiting = { owner, admit: () => resolve(this.#start(owner)) };
    const leave = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
      reject(busy());
    };
    this.#waiting.push(entry);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  #mayRun(owner: string): boolean {
    const { running, runningPerOwner } = this.#limits;
    return this.#total < running && (this.#running.get(owner) ?? 0) < runningPerOwner;
  }

  #start(owner: string): () => void {
    this.#total += 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    let hasEnded = false;
    return () => {
      if (!hasEnded) this.#end(owner);
      hasEnded = true;
    };
  }

  #end(owner: string): void {
    this.#total -= 1;
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    const next = this.#waiting.find((other) => this.#mayRun(other.owner));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((other) => other !== next);
    next.admit();
  }
}

function busy(): ServiceError {
  return new ServiceError("unavailable", "Too many large answers are being sent. Try again, or ask for fewer fields.", {
    retryAfterSeconds,
  });
}
