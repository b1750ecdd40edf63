import type { LocalStep } from "../plugin.ts";

/**
 * What happens to the changes of a session. `waiting`: the service does not have them, and is asked again; `reload`: the page is
 * older than the document; `gone`: the document is hidden or deleted.
 */
export type SessionStatus =
  | { readonly kind: "saved" }
  | { readonly kind: "saving" }
  | { readonly kind: "waiting"; readonly steps: number }
  | { readonly kind: "readOnly"; readonly why: "access" | "tooManyChanges" }
  | { readonly kind: "reload"; readonly steps: number }
  | { readonly kind: "gone"; readonly steps: number };

/** Whether another attempt changes nothing: the service has everything, or will not take it. */
export const isSettled = (status: SessionStatus): boolean =>
  status.kind === "saved" ||
  status.kind === "reload" ||
  status.kind === "gone" ||
  (status.kind === "readOnly" && status.why === "access");

/**
 * Events of which a session tells its listeners. `state`: the editor's document, its selection, or whether it can be written; `arrival`: changes
 * of others, before they are taken up, so that the editor can tell where its caret is.
 */
export type SessionEvent = "state" | "status" | "orphans" | "arrival";

/** That of the state first: the editor has it when another listener looks there. */
const inOrder: readonly SessionEvent[] = ["state", "orphans", "status"];

/** Listeners by event. */
export class SessionListeners {
  readonly #listeners = new Map<SessionEvent, Set<() => void>>();
  /** The events that are told of later. */
  #waiting: Set<SessionEvent> | null = null;

  /** Calls a function at each event. Returns a function that ends it. */
  on(event: SessionEvent, listener: () => void): () => void {
    const known = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, known);
    known.add(listener);
    return () => void known.delete(listener);
  }

  /** Returns once a condition holds, which is looked at now and at each event. */
  until(event: SessionEvent, isMet: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isMet()) return;
        end();
        resolve();
      };
      const end = this.on(event, check);
      check();
    });
  }

  /** Tells of each event of some work once, at its end. Returns what the work does. */
  tellAtEnd<Result>(work: () => Result): Result {
    if (this.#waiting !== null) return work();
    const waiting = new Set<SessionEvent>();
    this.#waiting = waiting;
    try {
      return work();
    } finally {
      this.#waiting = null;
      for (const event of inOrder) if (waiting.has(event)) this.emit(event);
    }
  }

  emit(event: SessionEvent): void {
    if (this.#waiting !== null) {
      this.#waiting.add(event);
      return;
    }
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener();
  }
}

/** Each batch of others rebases all local steps, and the device keeps them all. */
const maxLocalSteps = 2_000;
const maxLocalCharacters = 5_000_000;

/** Returns whether nothing more is written until the service has some of the local steps: they are many, or long as JSON. */
export const isFull = (local: readonly LocalStep[]): boolean =>
  local.length >= maxLocalSteps || local.reduce((sum, { characters }) => sum + characters, 0) >= maxLocalCharacters;

type SessionFacts = {
  /** Local steps that the service does not have. */
  readonly steps: number;
  readonly isFull: boolean;
  readonly end: "closed" | "gone" | "reload" | null;
  readonly mayWrite: boolean;
  readonly isFailing: boolean;
};

/** Returns what happens to the changes of a session. */
export function statusOf({ steps, isFull, end, mayWrite, isFailing }: SessionFacts): SessionStatus {
  if (end === "gone" || end === "reload") return { kind: end, steps };
  if (!mayWrite) return { kind: "readOnly", why: "access" };
  if (isFull) return { kind: "readOnly", why: "tooManyChanges" };
  if (steps === 0) return { kind: "saved" };
  return isFailing ? { kind: "waiting", steps } : { kind: "saving" };
}
