import type { Transaction } from "prosemirror-state";
import type { Mapping, Step } from "prosemirror-transform";
import { insertedContent } from "./inserted.ts";
import { leafText } from "./leaf-text.ts";
import { joinRanges, type Range } from "./ranges.ts";
import { Rebasing } from "./rebasing.ts";

/** A step of this client that the server has not accepted yet. */
export interface LocalStep {
  readonly step: Step;
  readonly inverted: Step;
  /** Its index in the batch that is on the way; null before it is sent. */
  readonly sentIndex: number | null;
  /** The length of its JSON as it was written: rebasing changes little of it, and JSON of long steps takes long. */
  readonly characters: number;
  /** An earlier page left it on the device, and may have sent it in a batch that this one does not know. */
  readonly isLeft?: boolean;
}

/**
 * Takes the local steps of an editor back, and puts them, or their accepted forms, on top of what the server accepted.
 * The steps and their new forms mirror each other in the transaction, so that selections and the undo history follow
 * (`rebased` in prosemirror-history).
 */
export class LocalRebase {
  readonly transaction: Transaction;
  /** The local steps that are left. */
  readonly remaining: LocalStep[] = [];
  readonly #local: readonly LocalStep[];
  readonly #rebasing: Rebasing;
  readonly #placed = new Set<number>();
  /** The history expects that no step without a mirror follows one that has it. */
  readonly #mirrors: { readonly undone: number; readonly done: number }[] = [];
  /** Text of steps of which another part has its place. */
  readonly #lostParts: string[] = [];

  constructor(transaction: Transaction, local: readonly LocalStep[]) {
    this.transaction = transaction;
    this.#local = local;
    this.#rebasing = new Rebasing(local.map(({ step }) => step));
    for (const { inverted } of [...local].reverse()) transaction.step(inverted);
  }

  /** Applies a step of somebody else. */
  applyForeign(step: Step): void {
    this.transaction.step(step);
    this.#rebasing.addForeign(step);
    this.#mirrors.length = 0;
  }

  /** Applies the accepted form of the local step with this index. */
  applyAccepted(index: number, accepted: Step): void {
    this.transaction.step(accepted);
    this.#place(index, accepted);
  }

  /** Applies the local step with this index again, as far as it still has a place. */
  applyLocal(index: number): void {
    const { doc } = this.transaction;
    const { step, lost } = this.#rebasing.map(index, doc);
    const local = this.#local[index];
    if (step === null || local === undefined) return;
    if (lost !== "") this.#lostParts.push(lost);
    this.transaction.step(step);
    this.#place(index, step);
    this.remaining.push({ ...local, step, inverted: step.invert(doc) });
  }

  /** Declares which steps of the transaction are the forms of those taken back, for selections and the undo history. */
  finish(): void {
    for (const { undone, done } of this.#mirrors) asMirrored(this.transaction.mapping).setMirror(undone, done);
  }

  /** Returns the text that local steps had inserted into the document before, and that has no place any more. */
  orphans(): readonly string[] {
    let lost: readonly Range[] = [];
    this.#local.forEach(({ step }, index) => {
      const moved = lost.map(({ from, to }) => ({ from: step.getMap().map(from, 1), to: step.getMap().map(to, -1) }));
      lost = joinRanges(this.#placed.has(index) ? moved : [...moved, ...insertedContent(step)]);
    });
    const { before } = this.transaction;
    return [...lost.map(({ from, to }) => before.textBetween(from, to, "\n", leafText)), ...this.#lostParts];
  }

  #place(index: number, step: Step): void {
    this.#placed.add(index);
    const isMirror = this.#rebasing.addPlaced(index, step);
    if (isMirror)
      this.#mirrors.push({ undone: this.#local.length - 1 - index, done: this.transaction.steps.length - 1 });
    else this.#mirrors.length = 0;
  }
}

/** Every `Mapping` has the method, and ProseMirror's collaboration package calls it; only its types leave it out. */
function asMirrored(mapping: Mapping): { setMirror(one: number, other: number): void } {
  return mapping as Mapping & { setMirror(one: number, other: number): void };
}
