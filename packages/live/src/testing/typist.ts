import { redo, undo } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { EditorState, type Transaction } from "prosemirror-state";
import { confirm, live, liveState, markSent, type Received, receive } from "../plugin.ts";
import { act } from "./actions.ts";
import { type LoggedBatch, type Push, readSteps } from "./log-server.ts";
import type { Pieces } from "./pieces.ts";
import type { Random } from "./random.ts";
import { historyOf, type UndoGroups } from "./undo-groups.ts";

/** Somebody who writes at random, with the real plugin and history, and no screen. */
export class Typist {
  readonly id: string;
  readonly orphans: string[] = [];
  readonly #pieces: Pieces;
  #state: EditorState;
  #sequence = 0;
  /** The bytes on the way: a retry sends the same. */
  #onTheWay: Push | null = null;

  constructor(id: string, doc: Node, pieces: Pieces, undoGroups?: UndoGroups) {
    this.id = id;
    this.#pieces = pieces;
    this.#state = EditorState.create({ doc, plugins: [live(0), historyOf(undoGroups)] });
  }

  get doc(): Node {
    return this.#state.doc;
  }

  get version(): number {
    return liveState(this.#state).version;
  }

  get isSettled(): boolean {
    return liveState(this.#state).local.length === 0;
  }

  /** Makes one random change, or undoes or repeats one. */
  write(random: Random): void {
    if (random.chance(0.08)) undo(this.#state, (transaction) => this.#apply(transaction));
    else if (random.chance(0.04)) redo(this.#state, (transaction) => this.#apply(transaction));
    else {
      const { tr } = this.#state;
      act(tr, random, () => this.#pieces.write());
      if (tr.docChanged) this.#apply(tr);
    }
  }

  /** Returns the batch to send: the unconfirmed one again, or all local steps; null if there is nothing to send. */
  send(): Push | null {
    if (this.#onTheWay !== null) return this.#onTheWay;
    const { local, version } = liveState(this.#state);
    if (local.length === 0) return null;
    this.#state = this.#state.apply(markSent(this.#state));
    this.#sequence++;
    const steps = JSON.stringify(local.map(({ step }) => step));
    this.#onTheWay = { clientId: this.id, sequence: this.#sequence, base: version, steps };
    return this.#onTheWay;
  }

  /** Reads a batch of the log; one that it has read already changes nothing. */
  read(batch: LoggedBatch): void {
    if (batch.version <= this.version) return;
    const steps = readSteps(this.#state.schema, batch.steps);
    const accepted = { version: batch.version, steps, origins: batch.origins };
    const isOwn = batch.clientId === this.id && batch.sequence === this.#onTheWay?.sequence;
    if (isOwn) this.#onTheWay = null;
    this.#take(isOwn ? confirm(this.#state, accepted) : receive(this.#state, accepted));
  }

  #take({ transaction, orphans }: Received): void {
    this.orphans.push(...orphans);
    this.#state = this.#state.apply(transaction);
  }

  #apply(transaction: Transaction): void {
    this.#pieces.noteChange(this.#state.doc, transaction.doc);
    this.#state = this.#state.apply(transaction);
  }
}
