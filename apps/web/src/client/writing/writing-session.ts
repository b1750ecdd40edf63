import { Failure } from "../api/failure.ts";
import type { Draft, DraftStore } from "./draft-store.ts";

/** The state of what is written. */
export type WritingStatus =
  | { readonly kind: "saved" | "saving" | "conflict" }
  /** Not in the service yet; `isKept` if it is on the device. */
  | { readonly kind: "pending"; readonly isKept: boolean }
  | { readonly kind: "failed"; readonly error: unknown };

/** A title and a text. */
export type Written = { readonly title: string; readonly text: string };

/** Saves fields of the document on a revision; returns the next revision. */
export type Send = (fields: Partial<Written>, expectedRevision: number) => Promise<number>;

type SessionOptions = {
  /** The text that the service has, and its revision. */
  readonly start: Draft;
  /** The text that was written on an earlier revision of the document: the writer chooses between both. */
  readonly conflicting?: Written | undefined;
  readonly send: Send;
  readonly drafts: DraftStore;
  readonly onStatus: (status: WritingStatus) => void;
};

/** The time after a change until it is on the device, and until it is sent. */
const keepMs = 200;
const sendMs = 1_500;
const firstRetryMs = 3_000;
const lastRetryMs = 60_000;

/** Writing on one document: each change is kept on the device first, then sent. A change is forgotten only once it is saved. */
export class WritingSession {
  readonly #send: Send;
  readonly #drafts: DraftStore;
  readonly #onStatus: (status: WritingStatus) => void;
  #saved: Written;
  #current: Written;
  #revision: number;
  #isConflict: boolean;
  /** The last text of this session that the device has kept. */
  #kept: Written | undefined;
  #isForgotten = false;
  #sending: Promise<boolean> | undefined;
  #retryMs = firstRetryMs;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;
  #sendTimer: ReturnType<typeof setTimeout> | undefined;

  constructor({ start, conflicting, send, drafts, onStatus }: SessionOptions) {
    this.#send = send;
    this.#drafts = drafts;
    this.#onStatus = onStatus;
    this.#saved = { title: start.title, text: start.text };
    this.#current = conflicting ?? this.#saved;
    this.#revision = start.revision;
    this.#isConflict = conflicting !== undefined;
    this.#kept = conflicting;
  }

  /** The current text. */
  get current(): Written {
    return this.#current;
  }

  get isSaved(): boolean {
    return this.#saved.title === this.#current.title && this.#saved.text === this.#current.text;
  }

  change(written: Partial<Written>): void {
    this.#current = { ...this.#current, ...written };
    this.#keepTimer ??= setTimeout(() => void this.#keep(), keepMs);
    if (this.#isConflict) return;
    if (this.#sending === undefined) this.#onStatus({ kind: "pending", isKept: false });
    this.#sendAfter(sendMs);
  }

  /** Sends the unsaved text; returns whether everything is saved then. */
  async save(): Promise<boolean> {
    clearTimeout(this.#sendTimer);
    if (this.#isConflict) return false;
    if (this.isSaved && this.#sending === undefined) return true;
    this.#sending ??= this.#attempt().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** Goes on from another revision after a conflict: what is written here replaces it. */
  async replace(revision: number): Promise<boolean> {
    this.#isConflict = false;
    this.#revision = revision;
    return this.save();
  }

  /** Forgets what is not saved. */
  discard(): void {
    this.#isConflict = false;
    this.#current = this.#saved;
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
  }

  /** Forgets what is not saved, on the device too, and sends nothing any more. */
  async forget(): Promise<void> {
    this.#isForgotten = true;
    this.discard();
    clearTimeout(this.#sendTimer);
    await this.#drafts.drop();
  }

  /** Keeps text that is not saved, for a page that may end now. Text that the device had already may be newer there, from another tab. */
  keepAtOnce(): void {
    if (this.isSaved || this.#isForgotten || this.#kept === this.#current) return;
    this.#drafts.keepAtOnce({ ...this.#current, revision: this.#revision });
  }

  /** Ends the timers. Unsaved text stays on the device. */
  close(): void {
    clearTimeout(this.#sendTimer);
    if (this.#keepTimer !== undefined) void this.#keep();
  }

  #sendAfter(delayMs: number): void {
    clearTimeout(this.#sendTimer);
    if (this.#isForgotten) return;
    this.#sendTimer = setTimeout(() => void this.save(), delayMs);
  }

  async #keep(): Promise<void> {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    if (this.#isForgotten) return;
    const current = this.#current;
    const isKept = await this.#drafts.keep({ ...current, revision: this.#revision }).then(
      () => true,
      () => false,
    );
    if (isKept) this.#kept = current;
    if (this.isSaved || this.#sending !== undefined || this.#isConflict) return;
    this.#onStatus({ kind: "pending", isKept });
  }

  async #attempt(): Promise<boolean> {
    this.#onStatus({ kind: "saving" });
    const sent = this.#current;
    try {
      this.#revision = await this.#send(this.#changed(), this.#revision);
    } catch (error) {
      if (this.#isForgotten) return this.isSaved;
      const next = revisionOfSameText(error);
      if (next === undefined) return this.#fail(error);
      this.#revision = next;
      return this.#attempt();
    }
    this.#saved = sent;
    if (this.#isForgotten) {
      // The text before it is not written here: kept, it would later undo this save.
      this.#current = sent;
      return true;
    }
    this.#retryMs = firstRetryMs;
    if (this.isSaved) {
      clearTimeout(this.#keepTimer);
      this.#keepTimer = undefined;
      // A draft that stays by mistake is the same as what is saved, and is not offered.
      await this.#drafts.drop().catch(() => undefined);
    }
    // Something may have been typed meanwhile.
    if (!this.isSaved) {
      await this.#keep();
      return this.#attempt();
    }
    this.#onStatus({ kind: "saved" });
    return true;
  }

  #changed(): Partial<Written> {
    const { title, text } = this.#current;
    return { ...(title !== this.#saved.title && { title }), ...(text !== this.#saved.text && { text }) };
  }

  #fail(error: unknown): false {
    this.#isConflict = error instanceof Failure && error.code === "revision_conflict";
    this.#onStatus(this.#isConflict ? { kind: "conflict" } : { kind: "failed", error });
    if (this.#isConflict) return false;
    const asked = error instanceof Failure ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
    this.#sendAfter(Math.max(this.#retryMs, asked));
    this.#retryMs = Math.min(lastRetryMs, this.#retryMs * 2);
    return false;
  }
}

/** Returns the current revision if only other fields changed, such as the tags: the text is then still the one written on. */
function revisionOfSameText(error: unknown): number | undefined {
  if (!(error instanceof Failure) || error.code !== "revision_conflict") return undefined;
  const [detail] = error.details;
  return detail?.diff === "" ? detail.currentRevision : undefined;
}
