import type { KeptChanges, KeptSession, KeptSnapshot, SessionStore } from "../session/session-store.ts";
import type { FakeTime } from "./fake-time.ts";
import type { Random } from "./random.ts";

/** A device, as JSON, that takes a moment for each change. */
export class FakeStore implements SessionStore {
  readonly #time: FakeTime;
  readonly #random: Random;
  #changes: string | null = null;
  #snapshot: string | null = null;
  #isDetached = false;
  /** How often something was written at once: what began before it does not overwrite it. */
  #atOnce = 0;
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
    store.#changes = this.#changes;
    store.#snapshot = this.#snapshot;
    return { store, kept: store.read() };
  }

  read(): KeptSession | null {
    if (this.#changes === null || this.#snapshot === null) return null;
    return { snapshot: JSON.parse(this.#snapshot), changes: JSON.parse(this.#changes) };
  }

  /** Loses the document, as where another tab has logged out. */
  loseSnapshot(): void {
    this.#snapshot = null;
  }

  keep = async (changes: KeptChanges, snapshot: KeptSnapshot | null): Promise<boolean> => {
    const written = JSON.stringify(changes);
    const document = snapshot === null ? this.#snapshot : JSON.stringify(snapshot);
    const before = this.#atOnce;
    await this.#moment();
    if (document === null) return false;
    if (this.#isDetached || before !== this.#atOnce) return true;
    if (snapshot !== null) this.snapshots += 1;
    this.#changes = written;
    this.#snapshot = document;
    return true;
  };

  keepAtOnce = (changes: KeptChanges, snapshot: KeptSnapshot | null): void => {
    this.isBehind = this.isFull;
    if (this.isFull) throw new Error("No room");
    this.#atOnce += 1;
    this.#changes = JSON.stringify(changes);
    if (snapshot !== null) this.#snapshot = JSON.stringify(snapshot);
  };

  drop = async (): Promise<void> => {
    const before = this.#atOnce;
    await this.#moment();
    if (!this.#isDetached && before === this.#atOnce) this.#changes = null;
  };

  async #moment(): Promise<void> {
    await new Promise<void>((resolve) => void this.#time.after(this.#random.below(40), resolve));
    this.isBehind = this.isFull;
    if (this.isFull) throw new Error("No room");
  }
}
