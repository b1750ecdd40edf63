import type { LiveState } from "../plugin.ts";
import type { BatchSender } from "./batch-sender.ts";
import type { Clock } from "./clock.ts";
import type { Hold } from "./hold.ts";
import type { SessionListeners } from "./status.ts";
import { takeMs } from "./times.ts";
import type { WireBatch } from "./transport.ts";

/** Up to this many at once are taken up one by one, so that a caret of each of their versions has a place. */
const fewBatches = 20;
/** The same where each of them rebases more local steps than `manySteps`. */
const fewBesideMany = 3;
const manySteps = 200;

type ArrivalsOptions = {
  readonly clock: Clock;
  readonly sender: Pick<BatchSender, "originOf" | "pauseMs">;
  readonly hold: Pick<Hold, "isHeld">;
  readonly listeners: SessionListeners;
  /** The last version that is taken up, and the local steps. */
  readonly live: () => Pick<LiveState, "version" | "local">;
  /** Takes up a batch; returns false for one that has to wait, or that would change the document and may not. */
  readonly take: (batch: WireBatch, mayChange: boolean) => boolean;
  /** Called when the next batches are to be taken up, by `takeNext`. */
  readonly due: () => void;
};

/** Batches of the log that have arrived and are not taken up yet, and the time until they are. */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #batches = new Map<number, WireBatch>();
  #takenAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
  }

  get #version(): number {
    return this.#options.live().version;
  }

  /** Takes up the batches that follow on the last version without a gap. */
  takeNext(): void {
    const next: WireBatch[] = [];
    for (let version = this.#version + 1; ; version++) {
      const batch = this.#batches.get(version);
      if (batch === undefined) break;
      next.push(batch);
    }
    this.takeAll(next);
  }

  /** Takes up batches in their order, of which listeners hear once; returns whether none of them has to wait. */
  takeAll(batches: readonly WireBatch[]): boolean {
    const { sender, hold, listeners, live, take } = this.#options;
    const mayChange = !hold.isHeld;
    const isForeign = (batch: WireBatch): boolean => sender.originOf(batch) === "other";
    // Those of this client usually change nothing, so that nobody has to ask where the caret is.
    const first = mayChange ? batches.findIndex((batch) => isForeign(batch) || !take(batch, false)) : 0;
    if (first < 0) return true;
    if (mayChange) listeners.emit("arrival");
    const waiting = batches.slice(first);
    const isBacklog = mayChange && waiting.length > (live().local.length > manySteps ? fewBesideMany : fewBatches);
    return listeners.tellAtEnd(() =>
      isBacklog ? this.#takeRuns(waiting) : waiting.every((one) => take(one, mayChange)),
    );
  }

  /** Takes up batches of others that follow each other as one: each would take back and rebase all that is not sent. */
  #takeRuns(batches: readonly WireBatch[]): boolean {
    const { sender, take } = this.#options;
    for (let rest = batches; ; ) {
      const own = rest.findIndex((batch) => sender.originOf(batch) !== "other");
      const run = rest.slice(0, own < 0 ? rest.length : own || 1);
      const last = run.at(-1);
      if (last === undefined) return true;
      const steps = run.flatMap((batch) => batch.steps);
      if (!take({ ...last, steps, origins: run.length > 1 ? undefined : last.origins }, true)) return false;
      rest = rest.slice(run.length);
    }
  }

  /** Has batches taken up now. */
  arrive(batches: readonly WireBatch[]): void {
    this.#add(batches);
    this.takeNow();
  }

  /** Has a batch taken up. One of others waits for those that follow, because the page is laid out and drawn each time. */
  arriveInTime(batch: WireBatch): void {
    // One of this client that the answer has confirmed looks like one of others.
    if (batch.version <= this.#version) return;
    const { clock, sender } = this.#options;
    this.#add([batch]);
    if (sender.originOf(batch) !== "other") {
      this.#takeOwn();
      return;
    }
    // The clock of a machine may be set back.
    const pause = Math.min(takeMs, this.#takenAt + takeMs - clock.now());
    if (pause <= 0) this.takeNow();
    else this.#cancel ??= clock.after(pause, () => this.takeNow());
  }

  /** Has what waited for the answer to a batch of this client taken up, and that batch if it is in the log as it was sent. */
  takeAnswer(batch: WireBatch, isSame: boolean): void {
    this.#takeOwn();
    if (isSame && batch.version === this.#version + 1) this.arrive([batch]);
  }

  /**
   * Has batches of this client taken up: its next changes are sent once they are confirmed. Where these have to wait anyway, they wait
   * with those of others.
   */
  #takeOwn(): void {
    if (this.#cancel === null || this.#options.sender.pauseMs === 0) this.takeNow();
  }

  takeNow(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#takenAt = this.#options.clock.now();
    this.#options.due();
  }

  /** Has those that wait for others taken up now. */
  takeWaiting(): void {
    if (this.#cancel !== null) this.takeNow();
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#batches.clear();
  }

  #add(batches: readonly WireBatch[]): void {
    const known = this.#version;
    for (const version of this.#batches.keys()) if (version <= known) this.#batches.delete(version);
    for (const batch of batches) if (batch.version > known) this.#batches.set(batch.version, batch);
  }
}
