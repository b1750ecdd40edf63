import type { DocJSON } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import type { Node } from "prosemirror-model";
import { AttrStep, ReplaceAroundStep, ReplaceStep, type Step } from "prosemirror-transform";
import { difference } from "./difference.ts";
import { Rebasing } from "./rebasing.ts";

/** A change of a document, and what the document is now. */
export interface ChangeToUndo {
  readonly before: DocJSON;
  readonly after: DocJSON;
  readonly current: DocJSON;
}

/** A document without a change that was made earlier, and how much of the change was taken back. */
export interface UndoneChange {
  readonly content: DocJSON;
  /** Number of separate places of the change that were taken back. */
  readonly undone: number;
  /** Number of places that stay, because their text was changed or deleted since. */
  readonly left: number;
}

/**
 * Takes back one change of a document and keeps all that was written since. The inverse of the change is rebased onto the later
 * changes, so that a deletion spares text that was inserted later, inside of the deleted range too. A place is left as it is where
 * its text was rewritten since: old text beside new text would be neither version.
 */
export function undoChange({ before, after, current }: ChangeToUndo): UndoneChange {
  const base = schema.nodeFromJSON(after);
  let doc = schema.nodeFromJSON(current);
  // Both differences begin at the same document, so that their positions can be compared.
  const parts = difference(base, schema.nodeFromJSON(before));
  const since = difference(base, doc);
  const rebasing = new Rebasing(parts);
  for (const step of since) rebasing.addForeign(step);
  let undone = 0;
  for (const [index, part] of parts.entries()) {
    if (since.some((later) => isOvertaken(part, later, base))) continue;
    const mapped = rebasing.map(index, doc);
    if (mapped.step === null || mapped.lost !== "" || isEmpty(mapped.step)) continue;
    doc = mapped.doc;
    rebasing.addPlaced(index, mapped.step);
    undone++;
  }
  return { content: doc.toJSON(), undone, left: parts.length - undone };
}

/** Whether a step does nothing, as a deletion of what is gone already. */
const isEmpty = (step: Step): boolean => step instanceof ReplaceStep && step.from === step.to && step.slice.size === 0;

/** Whether a later step took the place of what a part of an inverse would bring back. */
function isOvertaken(part: Step, later: Step, base: Node): boolean {
  if (part instanceof ReplaceStep) return later instanceof ReplaceStep && isReplaced(part, later, base);
  if (part instanceof AttrStep && later instanceof AttrStep) return part.pos === later.pos && part.attr === later.attr;
  return retypedAt(part) !== null && retypedAt(part) === retypedAt(later);
}

/** The position of the block whose type or attribute a step of a difference changes. */
function retypedAt(step: Step): number | null {
  if (step instanceof AttrStep) return step.pos;
  return step instanceof ReplaceAroundStep ? step.from : null;
}

function isReplaced(part: ReplaceStep, later: ReplaceStep, base: Node): boolean {
  // A deletion brings nothing back, and spares what it has not seen.
  if (part.slice.size === 0 || later.from > part.to || later.to < part.from) return false;
  const returned = later.slice.content.content;
  if (part.slice.content.content.every((node) => returned.some((other) => other.eq(node)))) return true;
  if (base.resolve(part.from).parent.inlineContent)
    return later.from < part.to && later.to > part.from && later.from < later.to;
  // Of blocks, those that are still there can be taken away.
  return later.from <= part.from && later.to >= part.to && part.from < part.to;
}
