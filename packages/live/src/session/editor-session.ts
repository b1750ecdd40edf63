import type { Node } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import { abandon, type LiveState, liveState, markSent, type Received } from "../plugin.ts";
import { Arrivals } from "./arrivals.ts";
import { attemptUntil } from "./attempt-until.ts";
import { BatchSender, type Sending } from "./batch-sender.ts";
import type { Clock } from "./clock.ts";
import { Hold } from "./hold.ts";
import { takeUp } from "./left-steps.ts";
import { openAgain } from "./load-open-again.ts";
import { LogFollower } from "./log-follower.ts";
import { Orphans } from "./orphans.ts";
import type { SessionStart } from "./session-start.ts";
import { isFull, isSettled, SessionListeners, type SessionStatus, statusOf } from "./status.ts";
import { jsonOf } from "./step-json.ts";
import { closeMs, sendMs, streamMs } from "./times.ts";
import type { LogPosition, PushAnswer, SentPush, Transport, TransportFailure, WireBatch } from "./transport.ts";
import { failureOf } from "./transport.ts";

/**
 * One open document. It takes the changes of an editor and brings them to the service, and those of others to the editor. It
 * never waits for the service before somebody can type, and drops no change: text that has no place any more is an orphan.
 */
export class EditorSession {
  readonly on: SessionListeners["on"] = (event, listener) => this.#listeners.on(event, listener);
  readonly #listeners = new SessionListeners();
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #sender: BatchSender;
  readonly #follower: LogFollower;
  readonly #arrivals: Arrivals;
  #state: EditorState;
  #lineage: string;
  #status: SessionStatus = { kind: "saved" };
  readonly #orphans: Orphans;
  #mayWrite: boolean;
  #end: "closed" | "gone" | "reload" | null = null;
  #isReopening = false;
  #cancelSend: (() => void) | null = null;
  readonly #hold: Hold;
  readonly #position = (): LogPosition => ({ lineage: this.#lineage, since: this.#live.version });

  constructor({ lineage, canWrite, state, sent = null, orphans = [], ...sending }: SessionStart) {
    const { transport, clock } = sending;
    this.#transport = transport;
    this.#clock = clock;
    this.#hold = new Hold(clock);
    this.#lineage = lineage;
    this.#mayWrite = canWrite;
    this.#state = state;
    this.#orphans = new Orphans(this.#listeners, orphans, this.#live.local.length > 0);
    this.#sender = new BatchSender({
      ...sending,
      sent,
      answered: (batch, answer) => this.#takeAnswer(batch, answer),
      failed: (failure) => this.#fail(failure),
      changed: () => this.#updateStatus(),
    });
    const take = (batch: WireBatch, mayChange: boolean): boolean => this.#take(batch, mayChange);
    const parts = { clock, sender: this.#sender, hold: this.#hold, listeners: this.#listeners, take };
    this.#arrivals = new Arrivals({ ...parts, live: () => this.#live, due: () => this.#drain() });
    this.#follower = new LogFollower({
      transport,
      clock,
      position: this.#position,
      batches: (batches) => this.#arrivals.arrive(batches),
      streamed: (batch) => this.#arrivals.arriveInTime(batch),
      access: (may) => this.#setAccess(may),
      failed: (failure) => this.#fail(failure),
    });
    this.#updateStatus();
    this.#follower.start();
    this.#sender.start();
    this.#sendAfter(0);
  }

  /** The state of the editor, for its view. */
  get state(): EditorState {
    return this.#state;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  /** Text of this client that no longer has a place in the document, oldest first. */
  get orphans(): readonly string[] {
    return this.#orphans.texts;
  }

  /** The document as this client had it, where it is offered as a whole: much of its text has no place. */
  get ownVersion(): Node | null {
    return this.#orphans.ownVersion;
  }

  get canWrite(): boolean {
    return this.#mayWrite && this.#end === null && this.#status.kind !== "readOnly";
  }

  /** The log that the session follows. */
  get lineage(): string {
    return this.#lineage;
  }

  /** The batch on the way, with its name and number. */
  get sending(): Sending {
    return this.#sender.sending;
  }

  get #live(): LiveState {
    return liveState(this.#state);
  }

  /** Takes a transaction of the view. One that changes the document is ignored where nothing can be written. */
  dispatch(transaction: Transaction): void {
    if (transaction.docChanged && !this.canWrite) return;
    this.#state = this.#state.apply(transaction);
    this.#listeners.emit("state");
    if (!transaction.docChanged) return;
    this.#orphans.noteWriting();
    this.#updateStatus();
    if (!this.#sender.isBusy && this.#cancelSend === null) this.#sendAfter(sendMs);
  }

  /** Takes up the changes of others that wait for each other; called where the page is laid out and drawn anyway. */
  readonly takeWaiting = (): void => this.#arrivals.takeWaiting();

  /** Sends now what is not sent yet, or waits for its next attempt. */
  flush(): void {
    this.#sender.retryNow();
    this.#send();
  }

  /** Keeps changes by others out of the document while an input method writes, until `release`, at most 3 seconds. */
  hold(): void {
    this.#hold.begin(() => this.release());
  }

  release(): void {
    this.#hold.end();
    this.#arrivals.takeNow();
  }

  /** Forgets an orphan, or the own version with the orphans that it has, once their author has no need for them. */
  dismiss(kept: string | Node): void {
    this.#orphans.dismiss(kept);
  }

  /** Returns when nothing is on its way: whether the service has everything. */
  async saved(): Promise<boolean> {
    this.flush();
    await this.#listeners.until("status", () => this.#status.kind !== "saving");
    return this.#status.kind === "saved";
  }

  /** Sends what is left, then ends the session. Returns whether the service has everything; after 12 seconds it goes on alone. */
  async close(): Promise<boolean> {
    this.flush();
    const settled = this.#listeners.until("status", () => isSettled(this.#status)).then(() => this.#stop("closed"));
    await Promise.race([settled, new Promise<void>((resolve) => void this.#clock.after(closeMs, resolve))]);
    return this.#status.kind === "saved";
  }

  /** Ends the session at once, with what is not sent yet. */
  end(): void {
    this.#stop("closed");
  }

  /** Takes up the batches that follow on the last version without a gap. */
  #drain(): void {
    if (this.#end !== null || this.#isReopening) return;
    try {
      this.#arrivals.takeNext();
    } catch (error) {
      const failure = failureOf(error);
      // A batch that does not apply here: this copy is not the one that the log means.
      if (failure.kind === "unreachable") void this.#reopen();
      else this.#fail(failure);
    }
  }

  /** Returns false for a batch that has to wait: for an answer, or for an input method. Additions of plugins to it are sent too. */
  #take(batch: WireBatch, mayChange: boolean): boolean {
    const origin = this.#sender.originOf(batch);
    if (origin === null) return false;
    const isOwn = origin !== "other";
    const received = takeUp(this.#state, batch, origin);
    if (received.transaction.docChanged && !mayChange) return false;
    if (isOwn) this.#sender.confirm(batch.seq);
    this.#receive(received);
    if (isOwn || this.#cancelSend === null) this.#sendAfter(isOwn ? this.#sender.pauseMs : sendMs);
    return true;
  }

  #receive({ transaction, orphans }: Received, isAway = false): void {
    const before = this.#state;
    this.#state = before.apply(transaction);
    // The view needs no new state for bookkeeping, which would disturb an input method.
    if (transaction.docChanged) this.#listeners.emit("state");
    this.#orphans.keep(before, orphans, isAway);
    this.#updateStatus();
  }

  #sendAfter(ms: number): void {
    this.#cancelSend?.();
    this.#cancelSend = this.#clock.after(ms, () => this.#send());
  }

  #send(): void {
    this.#cancelSend?.();
    this.#cancelSend = null;
    const { local, version } = this.#live;
    if (this.#sender.isBusy || this.#end !== null || !this.#mayWrite || local.length === 0) return;
    const steps = local.map(({ step }) => jsonOf(step));
    const count = this.#sender.send(this.#lineage, version, steps);
    this.#state = this.#state.apply(markSent(this.#state, count));
  }

  #takeAnswer(batch: SentPush, { version, accepted }: PushAnswer): void {
    this.#arrivals.takeAnswer({ ...batch, version }, accepted === "same");
    if (this.#sender.isOwn(batch)) this.#follower.pullAfter(streamMs, () => this.#sender.isOwn(batch));
  }

  /** Does as a failure says that another attempt does not repair. */
  #fail({ kind }: TransportFailure): void {
    if (kind === "refused") this.#abandon();
    if (kind === "refused" || kind === "reopen" || kind === "superseded") void this.#reopen();
    else if (kind === "forbidden") this.#setAccess(false);
    else if (kind === "outdated" || kind === "gone") this.#stop(kind === "gone" ? kind : "reload");
  }

  #setAccess(may: boolean): void {
    if (may === this.#mayWrite) return;
    this.#mayWrite = may;
    if (may) this.#sendAfter(0);
    else this.#abandon();
    this.#updateStatus();
  }

  /** Takes back what the service does not accept; its text becomes an orphan. */
  #abandon(): void {
    this.#sender.startAnew();
    if (this.#live.local.length > 0) this.#receive(abandon(this.#state), true);
  }

  /** Goes on with the document as it is now, where its log cannot be followed from here. */
  async #reopen(): Promise<void> {
    if (this.#isReopening || this.#end !== null) return;
    this.#isReopening = true;
    this.#follower.stop();
    this.#sender.pause();
    this.#arrivals.clear();
    const goOn = (failure: TransportFailure): boolean => {
      this.#fail(failure);
      this.#sender.setFailing(true);
      return this.#end === null;
    };
    await attemptUntil(this.#clock, async () => this.#end ?? this.#openAgain(), goOn);
    this.#isReopening = false;
    this.#sender.resume();
    if (this.#end !== null) return;
    this.#follower.start();
    this.#send();
  }

  /** @throws {TransportFailure} */
  async #openAgain(): Promise<void> {
    const connection = { transport: this.#transport, sender: this.#sender, position: this.#position };
    const take = (batch: WireBatch): boolean => this.#arrivals.takeAll([batch]);
    const session = { state: () => this.#state, isOver: () => this.#end !== null, take };
    await openAgain(connection, session, ({ lineage, received, orphans, canWrite }) => {
      this.#lineage = lineage;
      this.#receive({ ...received, orphans: [...received.orphans, ...orphans] }, true);
      this.#setAccess(canWrite);
    });
  }

  #stop(how: "closed" | "gone" | "reload"): void {
    if (this.#end !== null) return;
    this.#end = how;
    this.#follower.stop();
    this.#arrivals.clear();
    this.#sender.pause();
    this.#cancelSend?.();
    this.#hold.end();
    this.#updateStatus();
    if (how !== "closed") this.#listeners.emit("state");
  }

  #updateStatus(): void {
    const { local } = this.#live;
    const facts = { steps: local.length, isFull: isFull(local), end: this.#end, mayWrite: this.#mayWrite };
    const next = statusOf({ ...facts, isFailing: this.#sender.isFailing });
    const before = this.#status;
    this.#status = next;
    this.#orphans.follow(next);
    if (JSON.stringify(next) !== JSON.stringify(before)) this.#listeners.emit("status");
    if ((next.kind === "readOnly") !== (before.kind === "readOnly")) this.#listeners.emit("state");
  }
}
