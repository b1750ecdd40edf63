import { ServiceError } from "@kb/core";
import { ClientGone } from "./client-gone.ts";
import { ClientWait } from "./client-wait.ts";

/** Bounds of the heavy answers of a process. */
type HeavyAnswerLimits = {
  /** Answers that are being sent, in all without those to slow clients, and to one caller. */
  readonly running: number;
  readonly runningPerOwner: number;
  /** Answers that wait for their turn, in all and of one caller. */
  readonly waiting: number;
  readonly waitingPerOwner: number;
  /** Time for which an answer waits for its turn: its client has received nothing yet, and proxies give up after a minute. */
  readonly waitMs: number;
  /** Time after which an answer is refused if it waits for other answers of its own caller. */
  readonly ownWaitMs: number;
  /** Time for which an answer waits for its client in all before another one is sent beside it. */
  readonly slowAfterMs: number;
  /** Answers to slow clients that are being sent. */
  readonly slow: number;
};

/** The number of bytes from which an answer is heavy. */
export const heavyBytes = 1_000_000;

/** The time for which an answer waits for others. */
export const defaultWaitMs = 20_000;

const defaultLimits: HeavyAnswerLimits = {
  running: 4,
  runningPerOwner: 2,
  waiting: 32,
  waitingPerOwner: 8,
  waitMs: defaultWaitMs,
  ownWaitMs: 2_000,
  slowAfterMs: 5_000,
  slow: 16,
};
const retryAfterSeconds = 2;

/** A heavy answer that may be sent. */
export type HeavyTurn = {
  /** Passes the parts of the answer on, and measures how long its client takes for them. */
  readonly watch: (parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Ends the turn: the answer was sent, or its client has disconnected. */
  readonly end: () => void;
};

type Waiting = { readonly admit: () => void; readonly refuse: (error?: ServiceError) => void };
type Sending = { readonly owner: string; readonly disconnect: () => void; isSlow: boolean };

/**
 * Lets a few heavy answers be sent at once, at most some of them to one caller. The others wait, and callers take turns: one
 * with many answers, or a client that reads slowly, keeps nobody else waiting.
 */
export class HeavyAnswers {
  readonly #limits: HeavyAnswerLimits;
  #running: readonly Sending[] = [];
  /** The callers who wait, in the order of their next turns. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(limits: Partial<HeavyAnswerLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /**
   * Waits for a turn.
   * @param owner the user or channel that receives the answer
   * @param signal ends the wait when the client disconnects
   * @param disconnect is called if the client is slow, and too many slow ones are being served
   * @throws {ServiceError} `unavailable` if too many wait, or it has waited for too long: 20 seconds, or 2 while answers of the same caller
   *   are in its way; `ClientGone` if the client has disconnected
   */
  async enter(owner: string, signal: AbortSignal, disconnect: () => void): Promise<HeavyTurn> {
    if (this.#mayRun(owner)) return this.#start(owner, disconnect);
    this.#makeRoom(owner);
    const { promise, resolve, reject } = Promise.withResolvers<HeavyTurn>();
    const entry: Waiting = {
      admit: () => resolve(this.#start(owner, disconnect)),
      refuse: (error = busy()) => {
        this.#leave(owner, entry);
        reject(error);
      },
    };
    this.#waiting.set(owner, [...this.#waitingOf(owner), entry]);
    const onAbort = (): void => entry.refuse(new ClientGone());
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const { waitMs, ownWaitMs } = this.#limits;
    const timers = [
      setTimeout(() => entry.refuse(), waitMs),
      setTimeout(() => {
        if (this.#ownRunning(owner) >= this.#limits.runningPerOwner) entry.refuse();
      }, ownWaitMs),
    ];
    return promise.finally(() => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
  }

  /** An answer to a slow client counts for its owner only: others need not wait for it. */
  #mayRun(owner: string): boolean {
    const { running, runningPerOwner } = this.#limits;
    const others = this.#running.filter(({ isSlow }) => !isSlow).length;
    return others < running && this.#ownRunning(owner) < runningPerOwner;
  }

  #ownRunning = (owner: string): number => this.#running.filter((sending) => sending.owner === owner).length;

  /** Makes room for one more that waits. Of a full queue, the caller who has most in it loses the last. */
  #makeRoom(owner: string): void {
    const { waiting, waitingPerOwner } = this.#limits;
    const own = this.#waitingOf(owner).length;
    if (own >= waitingPerOwner) throw busy();
    const queues = [...this.#waiting.values()];
    if (queues.reduce((sum, queue) => sum + queue.length, 0) < waiting) return;
    const longest = queues.reduce((most, queue) => (queue.length > most.length ? queue : most), []);
    if (longest.length <= own + 1) throw busy();
    longest.at(-1)?.refuse();
  }

  #waitingOf = (owner: string): readonly Waiting[] => this.#waiting.get(owner) ?? [];

  #leave(owner: string, entry: Waiting): void {
    const left = this.#waitingOf(owner).filter((other) => other !== entry);
    if (left.length === 0) this.#waiting.delete(owner);
    else this.#waiting.set(owner, left);
  }

  #start(owner: string, disconnect: () => void): HeavyTurn {
    const sending: Sending = { owner, disconnect, isSlow: false };
    this.#running = [...this.#running, sending];
    const wait = new ClientWait(this.#limits.slowAfterMs, () => this.#setAside(sending));
    return { watch: (parts) => wait.watch(parts), end: () => this.#end(sending) };
  }

  #end(sending: Sending): void {
    if (!this.#running.includes(sending)) return;
    this.#running = this.#running.filter((other) => other !== sending);
    this.#admitNext();
  }

  /** Sends an answer to a slow client beside the others. Beyond the bound of such answers, the oldest is given up. */
  #setAside(sending: Sending): void {
    sending.isSlow = true;
    const slow = this.#running.filter(({ isSlow }) => isSlow);
    const [oldest] = slow;
    if (slow.length > this.#limits.slow && oldest !== undefined) {
      this.#end(oldest);
      oldest.disconnect();
    }
    this.#admitNext();
  }

  #admitNext(): void {
    const owner = [...this.#waiting.keys()].find((waiting) => this.#mayRun(waiting));
    if (owner === undefined) return;
    const [next, ...others] = this.#waitingOf(owner);
    // The owner goes to the end of the line.
    this.#waiting.delete(owner);
    if (others.length > 0) this.#waiting.set(owner, others);
    next?.admit();
  }
}

function busy(): ServiceError {
  return new ServiceError("unavailable", "Too many large answers are being sent. Try again, or ask for fewer fields.", {
    retryAfterSeconds,
  });
}
