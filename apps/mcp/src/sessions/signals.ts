import type { Backplane, Signal } from "./backplane.ts";

type SignalListener = (signal: Signal) => void;

/** Dispatches signals to the listeners that this instance has for a session. */
export class SessionSignals {
  readonly #listeners = new Map<string, Set<SignalListener>>();

  constructor(backplane: Backplane) {
    backplane.listen((signal) => {
      const sessions = signal.kind === "missed" ? [...this.#listeners.keys()] : [signal.session];
      for (const session of sessions) {
        for (const listener of [...(this.#listeners.get(session) ?? [])]) listener(signal);
      }
    });
  }

  /** Subscribes to the signals of a session. Returns a function that unsubscribes. */
  on(session: string, listener: SignalListener): () => void {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(session) === listeners) this.#listeners.delete(session);
    };
  }
}
