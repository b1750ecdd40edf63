import { schemaVersion } from "../schema-version.ts";
import { type Clock, pauseAfter } from "./clock.ts";
import type { ClientNumber } from "./session-store.ts";
import { charactersIn } from "./step-json.ts";
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

export type Sending = { readonly client: ClientNumber; readonly sent: SentPush | null };

type SenderOptions = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly newClientId: () => string;
  /** The id of the user, under which the batches appear in the log; undefined where it is not known. */
  readonly author: string | undefined;
  /** The batch on the way of an earlier session. */
  readonly sent: SentPush | null;
  /** The client of the earlier session, whose batches may be more than those that the device knows of. */
  readonly client?: ClientNumber | undefined;
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
  /** Whether an earlier session has sent batches under the same name. */
  #isShared: boolean;
  /** The version that the service gave to the batch on the way, or that it had another one with the same number. */
  #verdict: number | "superseded" | null = null;
  #isFailing = false;
  #isPaused = false;
  #sentAt = Number.NEGATIVE_INFINITY;
  #cancelRetry = (): void => {};

  constructor(options: SenderOptions) {
    this.#options = options;
    const { sent, client, newClientId, author } = options;
    this.#clientId = sent?.clientId ?? client?.id ?? newClientId();
    this.#author = author;
    this.#seq = sent?.seq ?? client?.seq ?? 0;
    this.#inFlight = sent;
    this.#isShared = sent !== null || client !== undefined;
  }

  /** Sends the batch on the way of an earlier session again. */
  start(): void {
    void this.#push(0);
  }

  /** Whether an earlier session has sent batches under the same name. */
  get isShared(): boolean {
    return this.#isShared;
  }

  /** The name under which this sends with its last number, and the batch on the way. */
  get sending(): Sending {
    return { client: { id: this.#clientId, seq: this.#seq }, sent: this.#inFlight };
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
  isOwn(batch: Pick<WireBatch, "clientId" | "seq" | "author">): boolean {
    return this.#isOfClient(batch) && batch.seq === this.#inFlight?.seq;
  }

  /**
   * Returns whose a batch of the log is; null where the service has not said yet whether the one on the way is it: an earlier session
   * may have sent another one with the same number.
   */
  originOf(batch: WireBatch): "here" | "earlier" | "other" | null {
    if (!this.#isOfClient(batch) || batch.seq < this.#seq) return "other";
    if (this.#inFlight === null) return this.#isShared && batch.seq > this.#seq ? "earlier" : "other";
    if (!this.#isShared) return batch.seq === this.#seq ? "here" : "other";
    if (this.#verdict === null) return null;
    return this.#verdict === batch.version ? "here" : "earlier";
  }

  #isOfClient({ clientId, author = this.#author }: Pick<WireBatch, "clientId" | "author">): boolean {
    return clientId === this.#clientId && (this.#author === undefined || author === this.#author);
  }

  /** Sends the first of some steps, as many as fit into one batch; returns their number. */
  send(lineage: string, base: number, steps: readonly unknown[]): number {
    const count = countInBatch(steps);
    this.#seq += 1;
    this.#verdict = null;
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

  /** The batch on the way is in the log, with this number. */
  confirm(seq = this.#seq): void {
    this.#inFlight = null;
    this.#verdict = null;
    this.#seq = seq;
    this.#setFailing(false);
  }

  /** Forgets the batch on the way, and goes on as another client: the numbers of this one are not known any more. */
  startAnew(author = this.#author): void {
    this.confirm();
    this.#author = author;
    this.#clientId = this.#options.newClientId();
    this.#seq = 0;
    this.#isShared = false;
  }

  /** Forgets the batch on the way, and goes on as the same client; its number is free again unless it was accepted. */
  goOn(isAccepted: boolean, author = this.#author): void {
    this.confirm(this.#inFlight === null || isAccepted ? this.#seq : this.#seq - 1);
    this.#author = author;
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
   * Asks what became of the batch on the way; returns null if there is none, or if it is not in the log, and `superseded` where
   * another batch has its number: an earlier session has sent more than the device knows of.
   * @throws {TransportFailure}
   */
  async settle(): Promise<PushAnswer | "superseded" | null> {
    if (this.#inFlight === null) return null;
    try {
      return await this.#options.transport.push(this.#inFlight);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === "reopen") return null;
      if (failure.kind === "superseded") {
        this.#verdict = "superseded";
        return "superseded";
      }
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
      this.#verdict = answer.version;
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

/** Returns how many of some steps fit into one batch. */
export function countInBatch(steps: readonly unknown[]): number {
  let characters = 0;
  for (const [index, step] of steps.slice(0, maxSteps).entries()) {
    characters += charactersIn(step);
    if (characters > maxCharacters && index > 0) return index;
  }
  return Math.min(steps.length, maxSteps);
}
