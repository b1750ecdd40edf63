import { Fragment, type Node, Slice } from "prosemirror-model";
import { ReplaceStep, replaceStep } from "prosemirror-transform";
import { checkSlice } from "./check-step.ts";
import { textOf } from "./inserted.ts";
import { tryStep } from "./try-step.ts";

/** A slice in the form that fits its place, and the document with it. */
export interface Insertion {
  readonly doc: Node;
  readonly slice: Slice;
}

/**
 * Inserts a slice at a position without removing anything: as it is, without marks that its new parent forbids, or
 * with its open sides closed. Returns null where no form keeps all of its text.
 */
export function insertAt(doc: Node, position: number, slice: Slice): Insertion | null {
  for (const form of [slice, withAllowedMarks(doc, position, slice), fittedSlice(doc, position, slice)]) {
    if (form === null) continue;
    const result = tryStep(() => {
      // Fitting a slice that is open leaves cells without content behind, which applying a step does not notice.
      checkSlice(form);
      return new ReplaceStep(position, position, form).apply(doc);
    });
    if (result !== null) return { doc: result, slice: form };
  }
  return null;
}

function withAllowedMarks(doc: Node, position: number, slice: Slice): Slice | null {
  const parent = doc.resolve(position).parent;
  if (!parent.inlineContent || slice.openStart > 0 || slice.openEnd > 0) return null;
  const nodes: Node[] = [];
  slice.content.forEach((node) => void nodes.push(node.mark(parent.type.allowedMarks(node.marks))));
  return new Slice(Fragment.fromArray(nodes), 0, 0);
}

function fittedSlice(doc: Node, position: number, slice: Slice): Slice | null {
  // Words without a block of their own are not put into a new one: out of their context they belong to their author.
  if (slice.content.firstChild?.isInline === true) return null;
  const step = replaceStep(doc, position, position, slice);
  if (!(step instanceof ReplaceStep) || step.from !== position || step.to !== position) return null;
  return textOf(step.slice) === textOf(slice) ? step.slice : null;
}
