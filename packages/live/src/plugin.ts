import type { Node } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import type { Step } from "prosemirror-transform";
import { LocalRebase, type LocalStep } from "./local-rebase.ts";
import { charactersIn, jsonOf } from "./session/step-json.ts";

export type { LocalStep } from "./local-rebase.ts";

/** The state of the plugin: its position in the document's log. */
export interface LiveState {
  /** The version that the document without `local` has. */
  readonly version: number;
  /** In order; those on the way come first. */
  readonly local: readonly LocalStep[];
}

/** Steps that the server accepted as one version. */
export interface AcceptedBatch {
  readonly version: number;
  readonly steps: readonly Step[];
  /** For each step, the index of the sent step that it came from. */
  readonly origins: readonly number[];
}

/** A transaction, and the local text that has no place after it, joined where it was contiguous. */
export interface Received {
  readonly transaction: Transaction;
  readonly orphans: readonly string[];
}

const key = new PluginKey<LiveState>("live");

/** Keeps apart what the server has accepted and what only this client has, from this version on. */
export function live(version: number, local: readonly LocalStep[] = []): Plugin<LiveState> {
  return new Plugin<LiveState>({
    key,
    // The history keeps its steps one by one, so that it can follow when they are rebased.
    historyPreserveItems: true,
    state: {
      init: () => ({ version, local }),
      apply: (transaction, state) => readNext(transaction) ?? withStepsOf(transaction, state),
    },
  });
}

/** Returns what the plugin of an editor knows. */
export function liveState(state: EditorState): LiveState {
  const found = key.getState(state);
  if (found === undefined) throw new Error("The editor has no live plugin");
  return found;
}

/** Returns the document without the local steps. */
export function confirmedDoc(state: EditorState): Node {
  return liveState(state).local.reduceRight((doc, { inverted }) => requireApplied(inverted, doc), state.doc);
}

/** Marks the first local steps as sent, by default all: they are the batch that is on the way. */
export function markSent(state: EditorState, count = Number.POSITIVE_INFINITY): Transaction {
  const { version, local } = liveState(state);
  const marked = local.map((one, index) => ({ ...one, sentIndex: index < count ? index : null }));
  return withNext(state.tr, { version, local: marked });
}

/** Takes up a batch of somebody else: the local steps are rebased onto it. */
export function receive(state: EditorState, { version, steps }: AcceptedBatch): Received {
  const { local } = liveState(state);
  const rebase = new LocalRebase(state.tr, local);
  for (const step of steps) rebase.applyForeign(step);
  for (const index of local.keys()) rebase.applyLocal(index);
  return received(rebase, version, local.length);
}

/**
 * Takes up the accepted form of the batch that was on the way. Where it equals the local form, only the bookkeeping
 * changes; else it takes the place of the local steps, and those that were not sent are rebased onto it.
 */
export function confirm(state: EditorState, { version, steps, origins }: AcceptedBatch): Received {
  const { local } = liveState(state);
  const sent = local.filter(({ sentIndex }) => sentIndex !== null);
  if (isSame(sent, steps, origins)) {
    return { transaction: withNext(state.tr, { version, local: local.slice(sent.length) }), orphans: [] };
  }
  const rebase = new LocalRebase(state.tr, local);
  const indexes = new Map(sent.map(({ sentIndex }, index) => [sentIndex, index]));
  steps.forEach((step, position) => {
    const index = indexes.get(origins[position] ?? null);
    // A step that was dropped here while it was on the way has nothing to mirror.
    if (index === undefined) rebase.applyForeign(step);
    else rebase.applyAccepted(index, step);
  });
  for (let index = sent.length; index < local.length; index++) rebase.applyLocal(index);
  return received(rebase, version, local.length);
}

/** Takes all local steps back; the text that they had inserted is returned as orphans. */
export function abandon(state: EditorState): Received {
  const { version, local } = liveState(state);
  return received(new LocalRebase(state.tr, local), version, local.length);
}

function requireApplied(step: Step, doc: Node): Node {
  const result = step.apply(doc);
  if (result.doc === null) throw new RangeError(`A local step cannot be taken back: ${result.failed}`);
  return result.doc;
}

function received(rebase: LocalRebase, version: number, undone: number): Received {
  rebase.finish();
  const next = { version, local: rebase.remaining };
  const transaction = withNext(rebase.transaction, next).setMeta("rebased", undone).setMeta("addToHistory", false);
  return { transaction, orphans: rebase.orphans() };
}

function isSame(sent: readonly LocalStep[], steps: readonly Step[], origins: readonly number[]): boolean {
  return (
    sent.length === steps.length &&
    sent.every(
      ({ step, sentIndex }, index) =>
        sentIndex === origins[index] && JSON.stringify(step.toJSON()) === JSON.stringify(steps[index]?.toJSON()),
    )
  );
}

function withStepsOf(transaction: Transaction, state: LiveState): LiveState {
  if (!transaction.docChanged) return state;
  const added = transaction.steps.map((step, index): LocalStep => {
    const before = transaction.docs[index];
    if (before === undefined) throw new RangeError(`Step ${index} has no document before it`);
    return { step, inverted: step.invert(before), sentIndex: null, characters: charactersIn(jsonOf(step)) };
  });
  return { version: state.version, local: [...state.local, ...added] };
}

/** Gives a transaction what the plugin knows after it. */
export function withNext(transaction: Transaction, next: LiveState): Transaction {
  return transaction.setMeta(key, next);
}

function readNext(transaction: Transaction): LiveState | undefined {
  return transaction.getMeta(key);
}
