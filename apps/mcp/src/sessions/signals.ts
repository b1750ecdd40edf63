import type { Backplane, Signal } from "./backplane.ts";

type Hear = (signal: Signal) => void;

/** Hands each signal to what this instance has open for its session. */
export class SessionSignals {
  readonly #hearers = new Map<string, Set<Hear>>();

  constructor(backplane: Backplane) {
    backplane.listen((signal) => {
      const sessions = signal.kind === "missed" ? [...this.#hearers.keys()] : [signal.session];
      for (const session of sessions) for (const hear of [...(this.#hearers.get(session) ?? [])]) hear(signal);
    });
  }

  /** Hears of a session until the function that this gives is called. */
  on(session: string, hear: Hear): () => void {
    const hearers = this.#hearers.get(session) ?? new Set();
    this.#hearers.set(session, hearers.add(hear));
    return () => {
      hearers.delete(hear);
      if (hearers.size === 0 && this.#hearers.get(session) === hearers) this.#hearers.delete(session);
    };
  }
}
