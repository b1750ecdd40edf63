import { schemaVersion } from "../schema-version.ts";
import { type Clock, pauseAfter } from "./clock.ts";
import { sendMs } from "./times.ts";
import {
  failureOf,
  type PushAnswer,
  type SentPush,
  type Transport,
  type TransportFailure,
  type WireBatch,
} from "./transport.ts";

/** A batch has at most this many steps, and this many characters of JSON unless it is a single step. */
const maxSteps = 500;
const maxCharacters = 1_000_000;

type SenderOptions = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly newClientId: () => string;
  /** The id of the user, under which the batches appear in the log; undefined where it is not known. */
  readonly author: string | undefined;
  /** The batch on the way of an earlier session. */
  readonly sent: SentPush | null;
  /** Called with the answer to the batch on the way. */
  readonly answered: (batch: SentPush, answer: PushAnswer) => void;
  /** Called where another attempt would change nothing. */
  readonly failed: (failure: TransportFailure) => void;
  /** Called when `isFailing` changed. */
  readonly changed: () => void;
};

/** Sends one batch at a time, and the same bytes again until there is an answer. */
export class BatchSender {
  readonly #options: SenderOptions;
  #clientId: string;
  #author: string | undefined;
  #seq: number;
  #inFlight: SentPush | null;
  #isFailing = false;
  #isPaused = false;
  #sentAt = Number.NEGATIVE_INFINITY;
  #cancelRetry = (): void => {};

  constructor(options: SenderOptions) {
    this.#options = options;
    const { sent, newClientId, author } = options;
    this.#clientId = sent?.clientId ?? newClientId();
    this.#author = author;
    this.#seq = sent?.seq ?? 0;
    this.#inFlight = sent;
  }

  /** Sends the batch on the way of an earlier session again. */
  start(): void {
    void this.#push(0);
  }

  /** True from a failed attempt on until the service answers. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  get isBusy(): boolean {
    return this.#inFlight !== null || this.#isPaused;
  }

  /** The time until the next batch may be sent: the service takes 40 of a client in 5 seconds. */
  get pauseMs(): number {
    // The clock of a machine may be set back.
    return Math.min(sendMs, Math.max(0, this.#sentAt + sendMs - this.#options.clock.now()));
  }

  /** Returns whether a batch of the log is the one on the way. Client ids are no secret: another user can send one that is new. */
  isOwn({ clientId, seq, author = this.#author }: Pick<WireBatch, "clientId" | "seq" | "author">): boolean {
    const isOwnAuthor = this.#author === undefined || author === this.#author;
    return isOwnAuthor && clientId === this.#clientId && seq === this.#inFlight?.seq;
  }

  /** Sends the first of some steps, as many as fit into one batch; returns their number. */
  send(lineage: string, base: number, steps: readonly unknown[]): number {
    const count = countInBatch(steps);
    this.#seq += 1;
    this.#inFlight = {
      lineage,
      clientId: this.#clientId,
      seq: this.#seq,
      base,
      schema: schemaVersion,
      steps: steps.slice(0, count),
    };
    this.#sentAt = this.#options.clock.now();
    void this.#push(0);
    return count;
  }

  /** Tries again now what waits for its next attempt. */
  retryNow(): void {
    if (!this.#isFailing) return;
    this.#cancelRetry();
    void this.#push(0);
  }

  /** The batch on the way is in the log. */
  confirm(): void {
    this.#inFlight = null;
    this.#setFailing(false);
  }

  /** Forgets the batch on the way, and goes on as another client: the numbers of this one are not known any more. */
  startAnew(author = this.#author): void {
    this.confirm();
    this.#author = author;
    this.#clientId = this.#options.newClientId();
    this.#seq = 0;
  }

  /** Ends the attempts until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#cancelRetry();
  }

  resume(): void {
    this.#isPaused = false;
  }

  /**
   * Asks until the service says what became of the batch on the way; returns null if there is none, or if it is not in the log.
   * @throws {TransportFailure} other than `reopen`, which says that it is not
   */
  async settle(): Promise<PushAnswer | null> {
    if (this.#inFlight === null) return null;
    try {
      return await this.#options.transport.push(this.#inFlight);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === "reopen") return null;
      throw failure;
    }
  }

  /** Says that the service cannot be reached, or that it can. */
  setFailing(isFailing: boolean): void {
    this.#setFailing(isFailing);
  }

  async #push(failures: number): Promise<void> {
    const batch = this.#inFlight;
    const isOver = (): boolean => this.#inFlight !== batch || this.#isPaused;
    if (batch === null || isOver()) return;
    try {
      const answer = await this.#options.transport.push(batch);
      if (isOver()) return;
      this.#setFailing(false);
      this.#options.answered(batch, answer);
    } catch (error) {
      if (!isOver()) this.#fail(failureOf(error), failures);
    }
  }

  #fail(failure: TransportFailure, failures: number): void {
    if (failure.kind !== "unreachable") {
      this.#options.failed(failure);
      return;
    }
    const { clock } = this.#options;
    this.#cancelRetry();
    const pause = pauseAfter(failures, failure.retryAfterMs, clock);
    this.#cancelRetry = clock.after(pause, () => void this.#push(failures + 1));
    this.#setFailing(true);
  }

  #setFailing(isFailing: boolean): void {
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    this.#options.changed();
  }
}

function countInBatch(steps: readonly unknown[]): number {
  let characters = 0;
  for (const [index, step] of steps.slice(0, maxSteps).entries()) {
    characters += JSON.stringify(step).length;
    if (characters > maxCharacters && index > 0) return index;
  }
  return Math.min(steps.length, maxSteps);
}
