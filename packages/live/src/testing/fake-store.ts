import type { KeptChanges, KeptSession, KeptSnapshot, SessionStore } from "../session/session-store.ts";
import type { FakeTime } from "./fake-time.ts";
import type { Random } from "./random.ts";

type KeptMoment = { readonly changes: string; readonly snapshot: string | null };

/** A device, as JSON, that takes a moment for each change. */
export class FakeStore implements SessionStore {
  readonly #time: FakeTime;
  readonly #random: Random;
  #changes: string | null = null;
  #snapshot: string | null = null;
  #isDetached = false;
  /** What was written at once; null once something that began later was written. */
  #last: KeptMoment | null = null;
  /** Fails each attempt to write, as a device without room. */
  isFull = false;
  /** Whether the last attempt to write failed. */
  isBehind = false;
  /** How often the whole document was written. */
  snapshots = 0;

  constructor(time: FakeTime, random: Random) {
    this.#time = time;
    this.#random = random;
  }

  /** Returns what was kept, for the next session; the one before it writes nothing any more. */
  takeOver(): { readonly store: FakeStore; readonly kept: KeptSession | null } {
    this.#isDetached = true;
    const store = new FakeStore(this.#time, this.#random);
    store.#last = this.#last;
    store.#changes = this.#changes;
    store.#snapshot = this.#snapshot;
    return { store, kept: store.read() };
  }

  read(): KeptSession | null {
    const { changes, snapshot } = this.#last ?? { changes: this.#changes, snapshot: null };
    const document = snapshot ?? this.#snapshot;
    if (changes === null || document === null) return null;
    return { snapshot: JSON.parse(document), changes: JSON.parse(changes) };
  }

  /** Loses the document, as where another tab has logged out. */
  loseSnapshot(): void {
    this.#snapshot = null;
  }

  keep = async (changes: KeptChanges, snapshot: KeptSnapshot | null): Promise<boolean> => {
    const written = JSON.stringify(changes);
    const document = snapshot === null ? this.#snapshot : JSON.stringify(snapshot);
    const last = this.#last;
    await this.#moment();
    if (document === null) return false;
    if (this.#isDetached) return true;
    if (last === this.#last) this.#last = null;
    if (snapshot !== null) this.snapshots += 1;
    this.#changes = written;
    this.#snapshot = document;
    return true;
  };

  keepAtOnce = (changes: KeptChanges, snapshot: KeptSnapshot | null): void => {
    this.isBehind = this.isFull;
    if (this.isFull) return;
    const document = snapshot === null ? null : JSON.stringify(snapshot);
    this.#last = { changes: JSON.stringify(changes), snapshot: document };
  };

  drop = async (): Promise<void> => {
    this.#last = null;
    await this.#moment();
    if (!this.#isDetached) this.#changes = null;
  };

  async #moment(): Promise<void> {
    await new Promise<void>((resolve) => void this.#time.after(this.#random.below(40), resolve));
    this.isBehind = this.isFull;
    if (this.isFull) throw new Error("No room");
  }
}
