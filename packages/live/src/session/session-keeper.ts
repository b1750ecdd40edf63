import type { EditorState } from "prosemirror-state";
import { confirmedDoc, type LiveState, liveState } from "../plugin.ts";
import type { Clock } from "./clock.ts";
import type { EditorSession } from "./editor-session.ts";
import { identityOf } from "./restore.ts";
import type { ClientNumber, KeptChanges, KeptSnapshot, SessionStore } from "./session-store.ts";
import { charactersOf, jsonOf } from "./step-json.ts";
import { textsOfKept } from "./texts-of-kept.ts";
import { keepMs, patienceMs } from "./times.ts";
import type { SentPush, Transport, WireBatch } from "./transport.ts";

/** After this many batches the document is written again instead of all of them. */
const maxBatches = 200;

type KeeperOptions = {
  readonly transport: Transport;
  readonly store: SessionStore;
  readonly clock: Clock;
  /** Whether the store has anything of the session. */
  readonly hasRow: boolean;
};

/** The state of a session at one time. */
type Written = {
  readonly lineage: string;
  readonly state: EditorState;
  readonly live: LiveState;
  readonly orphans: readonly string[];
  readonly client: ClientNumber;
  readonly sent: SentPush | null;
};

/**
 * Keeps on the device what the service does not have: soon after each change, before a batch is sent, and before the page ends. The
 * document is written once; then only the batches after it and the local steps, so that a keystroke costs the same in a long document.
 */
export class SessionKeeper {
  /** The connection for the session. It shows the keeper what is sent and what arrives. */
  readonly transport: Transport;
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #session: EditorSession | null = null;
  /** The document in the store; null if this keeper has written none. */
  #snapshot: KeptSnapshot | null = null;
  /** The steps of batches that arrived, by version. */
  #log: { readonly lineage: string; readonly batches: Map<number, readonly unknown[]> } = {
    lineage: "",
    batches: new Map(),
  };
  #hasRow: boolean;
  #last: Written | null = null;
  #failure: unknown = null;
  #isForgotten = false;
  #writing: Promise<void> = Promise.resolve();
  #cancel: (() => void) | null = null;

  constructor({ transport, store, clock, hasRow }: KeeperOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#hasRow = hasRow;
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

  /** Writes what is not on the device yet before it returns, for a page that may end now. */
  writeAtOnce(): void {
    const next = this.#unwritten();
    if (next === null || !hasText(next)) return;
    this.#hasRow = true;
    const { row, snapshot } = this.#rowOf(next);
    this.#store.keepAtOnce(row, snapshot);
    void this.write();
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
    const next = this.#unwritten();
    if (next === null) return;
    this.#last = null;
    if (hasText(next)) await this.#keepRow(next);
    else await this.#dropRow();
    this.#last = next;
  }

  /** Returns what the session has, unless the device has it already. */
  #unwritten(): Written | null {
    if (this.#session === null || this.#isForgotten) return null;
    const { state, orphans, lineage, sending } = this.#session;
    const live = liveState(state);
    const next = { lineage, state, live, orphans, ...sending };
    const { live: lastLive, orphans: lastOrphans, sent: lastSent } = this.#last ?? {};
    return lastLive === live && lastOrphans === orphans && lastSent === next.sent ? null : next;
  }

  async #dropRow(): Promise<void> {
    if (!this.#hasRow) return;
    await this.#store.drop();
    this.#hasRow = false;
  }

  async #keepRow(next: Written): Promise<void> {
    this.#hasRow = true;
    const { row, snapshot: needed } = this.#rowOf(next);
    if (needed === null && (await this.#store.keep(row, null))) return;
    const snapshot = needed ?? snapshotOf(next);
    // While it is on its way, nothing may be written that leads on from the one before it.
    this.#snapshot = null;
    await this.#store.keep(counted({ ...row, batches: [] }), snapshot);
    this.#snapshot = snapshot;
    const { batches: known } = this.#log;
    for (const version of known.keys()) if (version <= snapshot.version) known.delete(version);
  }

  /** Returns what to write, with the document where the one on the device does not lead to it. */
  #rowOf(next: Written): { readonly row: KeptChanges; readonly snapshot: KeptSnapshot | null } {
    const { lineage, state, orphans, sent, client, live } = next;
    const batches = this.#batchesUntil(next);
    const expected = identityOf(lineage, live.version, state.doc);
    const row = { batches: batches ?? [], local: localOf(state), sent, client, expected, orphans };
    return { row: counted(row), snapshot: batches === null ? snapshotOf(next) : null };
  }

  /** Returns the steps of the batches from the snapshot to a version; null if the snapshot does not lead there. */
  #batchesUntil(next: Written): readonly (readonly unknown[])[] | null {
    const snapshot = this.#snapshot;
    const { lineage, batches } = this.#log;
    const { version } = next.live;
    if (snapshot === null || snapshot.lineage !== next.lineage) return null;
    const count = version - snapshot.version;
    if (count < 0 || count > maxBatches || (count > 0 && lineage !== snapshot.lineage)) return null;
    const found: (readonly unknown[])[] = [];
    for (let each = snapshot.version + 1; each <= version; each++) {
      const steps = batches.get(each);
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

const hasText = ({ live, orphans }: Written): boolean => live.local.length > 0 || orphans.length > 0;

const counted = (row: KeptChanges): KeptChanges => ({ ...row, characters: charactersOf(row) });

const snapshotOf = ({ lineage, state, live: { version } }: Written): KeptSnapshot => ({
  lineage,
  version,
  content: confirmedDoc(state).toJSON(),
});

const localOf = (state: EditorState): KeptChanges["local"] =>
  liveState(state).local.map(({ step, sentIndex }) => ({ step: jsonOf(step), sentIndex }));
