import type { Clock } from "./clock.ts";
import { streamMs } from "./times.ts";
import { failureOf, type LogPosition, type Transport, TransportFailure, type WireBatch } from "./transport.ts";

/** The time after which changes by others are asked for: with a stream, and without. */
const pollMs = { connected: 30_000, lost: 2_000 };

/** A machine that sleeps does not notice that its stream is dead: its clock has jumped by more than this when it wakes up. */
const sleepMs = 5_000;
const sleepCheckMs = 500;

type FollowerOptions = {
  readonly transport: Transport;
  readonly clock: Clock;
  /** The last version that the session has. */
  readonly position: () => LogPosition;
  /** Called with batches of the log that were asked for, in any order, also such that are known. */
  readonly batches: (batches: readonly WireBatch[]) => void;
  /** Called with a batch that the stream brings, in any order, also one that is known. */
  readonly streamed: (batch: WireBatch) => void;
  readonly access: (canWrite: boolean) => void;
  /** Called where the log cannot be followed any more from here. */
  readonly failed: (failure: TransportFailure) => void;
};

/** Follows the log of a document: by its stream, and by asking, for what a stream does not bring. */
export class LogFollower {
  readonly #options: FollowerOptions;
  #isFollowing = false;
  #isConnected = false;
  /** The question on its way, and whether the last one had no answer. */
  #pulling: object | null = null;
  #isUnanswered = false;
  /** The last version that the stream has brought. */
  #streamed = 0;
  #endStream = (): void => {};
  #cancelPoll = (): void => {};
  #cancelSleepCheck = (): void => {};

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isFollowing = true;
    this.#connect();
    this.#poll();
    this.#checkSleep();
  }

  #connect(): void {
    this.#streamed = 0;
    const { transport, position, streamed, access, failed } = this.#options;
    const ifFollowing =
      <Value>(use: (value: Value) => void) =>
      (value: Value): void => {
        if (this.#isFollowing) use(value);
      };
    this.#endStream = transport.stream(position, {
      connected: ifFollowing((isConnected) => {
        this.#isConnected = isConnected;
        this.#poll();
      }),
      batch: ifFollowing((batch) => {
        this.#streamed = Math.max(this.#streamed, batch.version);
        streamed(batch);
      }),
      access: ifFollowing(access),
      ended: ifFollowing((kind) => failed(new TransportFailure(kind, "The stream has ended"))),
    });
  }

  stop(): void {
    this.#isFollowing = false;
    this.#isConnected = false;
    this.#endStream();
    this.#cancelPoll();
    this.#cancelSleepCheck();
  }

  /** Asks for what is new after a time, unless it is not needed then. */
  pullAfter(ms: number, isNeeded: () => boolean): void {
    this.#options.clock.after(ms, () => {
      if (isNeeded()) void this.#pull();
    });
  }

  #poll(): void {
    this.#cancelPoll();
    if (!this.#isFollowing) return;
    const pause = this.#isConnected && !this.#isUnanswered ? pollMs.connected : pollMs.lost;
    this.#cancelPoll = this.#options.clock.after(pause, () => {
      void this.#askBesideStream().then(() => this.#poll());
    });
  }

  /** A network may drop a stream without a word: it is dead where asking finds what it does not bring soon after. */
  async #askBesideStream(): Promise<void> {
    const { clock, position } = this.#options;
    const { since } = position();
    const stream = this.#isConnected ? this.#endStream : null;
    await this.#pull();
    const reached = position().since;
    if (reached === since) return;
    clock.after(streamMs, () => {
      if (this.#isFollowing && this.#endStream === stream && this.#streamed < reached) this.#reconnect();
    });
  }

  #checkSleep(): void {
    const { clock } = this.#options;
    const before = clock.now();
    this.#cancelSleepCheck = clock.after(sleepCheckMs, () => {
      if (clock.now() - before > sleepCheckMs + sleepMs) this.#reconnect();
      this.#checkSleep();
    });
  }

  /** A stream and a question from before a sleep or a cut say nothing about their death, and the network may take a while to come back. */
  #reconnect(): void {
    this.#pulling = null;
    this.#isConnected = false;
    this.#endStream();
    this.#connect();
    void this.#pull().then(() => this.#poll());
  }

  async #pull(): Promise<void> {
    if (this.#pulling !== null || !this.#isFollowing) return;
    const pulling = {};
    this.#pulling = pulling;
    try {
      while (await this.#pullPage());
      this.#isUnanswered = false;
    } catch (error) {
      const failure = failureOf(error);
      this.#isUnanswered = failure.kind === "unreachable";
      if (this.#isFollowing && failure.kind !== "unreachable") this.#options.failed(failure);
    } finally {
      if (this.#pulling === pulling) this.#pulling = null;
    }
  }

  /** Returns whether there is more, and it can be taken up now. */
  async #pullPage(): Promise<boolean> {
    const { transport, position, batches } = this.#options;
    const { lineage, since } = position();
    const page = await transport.batches({ lineage, since });
    if (!this.#isFollowing || position().lineage !== lineage) return false;
    batches(page.batches);
    const reached = position().since;
    return this.#isFollowing && reached > since && reached < page.version;
  }
}
