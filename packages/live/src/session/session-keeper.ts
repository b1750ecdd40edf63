import type { EditorState } from "prosemirror-state";
import { confirmedDoc, type LiveState, liveState } from "../plugin.ts";
import type { Clock } from "./clock.ts";
import type { EditorSession } from "./editor-session.ts";
import { textsOfKept } from "./restore.ts";
import type { KeptChanges, KeptSession, KeptSnapshot, SessionStore } from "./session-store.ts";
import { keepMs, patienceMs } from "./times.ts";
import type { SentPush, Transport, WireBatch } from "./transport.ts";

/** After this many batches the document is written again instead of all of them. */
const maxBatches = 200;

type KeeperOptions = {
  readonly transport: Transport;
  readonly store: SessionStore;
  readonly clock: Clock;
  /** The snapshot that the store has, with the steps of each batch after it. */
  readonly kept: KeptSession | null;
};

/**
 * Keeps on the device what the service does not have: soon after each change, and before a batch is sent. The document is written
 * once; then only the batches after it and the local steps, so that a keystroke costs the same in a long document.
 */
export class SessionKeeper {
  /** The connection for the session. It shows the keeper what is sent and what arrives. */
  readonly transport: Transport;
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #session: EditorSession | null = null;
  #snapshot: KeptSnapshot | null;
  /** The steps of batches that arrived, by version. */
  #log: { readonly lineage: string; readonly batches: Map<number, readonly unknown[]> };
  #hasRow: boolean;
  #last: { readonly live: LiveState; readonly orphans: readonly string[]; readonly sent: SentPush | null } | null =
    null;
  #failure: unknown = null;
  #isForgotten = false;
  #writing: Promise<void> = Promise.resolve();
  #cancel: (() => void) | null = null;

  constructor({ transport, store, clock, kept }: KeeperOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#snapshot = kept?.snapshot ?? null;
    this.#hasRow = kept !== null;
    const { lineage = "", version = 0 } = kept?.snapshot ?? {};
    const known = kept?.changes.batches ?? [];
    this.#log = { lineage, batches: new Map(known.map((steps, index) => [version + index + 1, steps])) };
    this.transport = this.#observe(transport);
  }

  /** The text of the session that the service does not have, for its author to copy. */
  get unsentTexts(): readonly string[] {
    if (this.#session === null) return [];
    const { state, orphans } = this.#session;
    return textsOfKept({ local: localOf(state), orphans });
  }

  /** Why the last attempt to keep something failed; null if it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Calls a function whenever `failure` changed. Returns a function that ends it. */
  onFailure(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Keeps what this session has from now on. */
  follow(session: EditorSession): void {
    this.#session = session;
    const later = (): void => {
      this.#cancel ??= this.#clock.after(keepMs, () => void this.write());
    };
    for (const event of ["state", "status", "orphans"] as const) session.on(event, later);
    later();
  }

  /** Writes what is not on the device yet. Never fails; see `failure`. */
  write(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    this.#writing = this.#writing
      .then(() => this.#writeNow())
      .then(
        () => this.#setFailure(null),
        (error: unknown) => this.#setFailure(error),
      );
    return this.#writing;
  }

  /** Deletes what is kept, and keeps nothing any more. */
  async forget(): Promise<void> {
    this.#isForgotten = true;
    this.#cancel?.();
    await this.#writing;
    await this.#store.drop();
  }

  #observe({ open, push, batches, stream }: Transport): Transport {
    return {
      open,
      push: async (batch) => {
        // A device that does not answer keeps nothing from the service.
        await Promise.race([this.write(), new Promise<void>((resolve) => void this.#clock.after(patienceMs, resolve))]);
        const answer = await push(batch);
        if (answer.accepted === "same") this.#note(batch.lineage, { version: answer.version, steps: batch.steps });
        return answer;
      },
      batches: async (position) => {
        const page = await batches(position);
        for (const batch of page.batches) this.#note(position.lineage, batch);
        return page;
      },
      stream: (position, receiver) =>
        stream(position, {
          ...receiver,
          batch: (batch) => {
            this.#note(position().lineage, batch);
            receiver.batch(batch);
          },
        }),
    };
  }

  #note(lineage: string, { version, steps }: Pick<WireBatch, "version" | "steps">): void {
    const isFull = this.#snapshot === null && this.#log.batches.size > maxBatches;
    if (lineage !== this.#log.lineage || isFull) this.#log = { lineage, batches: new Map() };
    this.#log.batches.set(version, steps);
  }

  async #writeNow(): Promise<void> {
    if (this.#session === null || this.#isForgotten) return;
    const { state, orphans, sending } = this.#session;
    const { sent } = sending;
    const live = liveState(state);
    const next = { live, orphans, sent };
    const { live: lastLive, orphans: lastOrphans, sent: lastSent } = this.#last ?? {};
    if (lastLive === live && lastOrphans === orphans && lastSent === next.sent) return;
    this.#last = null;
    if (live.local.length === 0 && orphans.length === 0) await this.#dropRow();
    else await this.#keepRow(this.#session, next);
    this.#last = next;
  }

  async #dropRow(): Promise<void> {
    if (!this.#hasRow) return;
    await this.#store.drop();
    this.#hasRow = false;
  }

  async #keepRow(
    session: EditorSession,
    { live, orphans, sent }: { live: LiveState; orphans: readonly string[]; sent: SentPush | null },
  ): Promise<void> {
    this.#hasRow = true;
    const { state, lineage, sending } = session;
    const kept = { local: localOf(state), sent, client: sending.client, orphans };
    const batches = this.#batchesUntil(live.version);
    if (batches !== null && (await this.#store.keep({ ...kept, batches }, null))) return;
    const snapshot = { lineage, version: live.version, content: confirmedDoc(state).toJSON() };
    await this.#store.keep({ ...kept, batches: [] }, snapshot);
    this.#snapshot = snapshot;
    const { batches: known } = this.#log;
    for (const version of known.keys()) if (version <= snapshot.version) known.delete(version);
  }

  /** Returns the steps of the batches from the snapshot to a version; null if the snapshot does not lead there. */
  #batchesUntil(version: number): readonly (readonly unknown[])[] | null {
    const snapshot = this.#snapshot;
    const { lineage, batches } = this.#log;
    if (snapshot === null || snapshot.lineage !== this.#session?.lineage) return null;
    const count = version - snapshot.version;
    if (count < 0 || count > maxBatches || (count > 0 && lineage !== snapshot.lineage)) return null;
    const found: (readonly unknown[])[] = [];
    for (let next = snapshot.version + 1; next <= version; next++) {
      const steps = batches.get(next);
      if (steps === undefined) return null;
      found.push(steps);
    }
    return found;
  }

  #setFailure(failure: unknown): void {
    const hasChanged = (failure === null) !== (this.#failure === null);
    this.#failure = failure;
    if (hasChanged) for (const listener of [...this.#listeners]) listener();
  }
}

const localOf = (state: EditorState): KeptChanges["local"] =>
  liveState(state).local.map(({ step, sentIndex }) => ({ step: step.toJSON(), sentIndex }));
