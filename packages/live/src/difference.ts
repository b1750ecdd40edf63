import { type Node, Slice } from "prosemirror-model";
import { ReplaceStep, type Step } from "prosemirror-transform";
import { BlockDifference } from "./difference/blocks.ts";
import { tryStep } from "./try-step.ts";

/**
 * Returns steps that turn a document into another one. Blocks and words that both contain stay the same, so that the
 * positions in them do, too. The work is bounded: where two documents have little in common, more is replaced at once.
 */
export function difference(before: Node, after: Node): readonly Step[] {
  const found = new BlockDifference();
  found.compare(before, after, 0);
  const replacements = found.replacements.map(({ from, to, slice }) => new ReplaceStep(from, to, slice));
  // From the last to the first, so that no step moves the positions of the next.
  const steps = [...found.retypings, ...replacements.reverse()];
  return turns(before, steps, after) ? steps : plainDifference(before, after);
}

/** One step for all between the equal ends of two documents. */
function plainDifference(before: Node, after: Node): readonly Step[] {
  const start = before.content.findDiffStart(after.content);
  const end = before.content.findDiffEnd(after.content);
  if (start !== null && end !== null) {
    const overlap = Math.max(0, start - Math.min(end.a, end.b));
    const to = end.a + overlap;
    const steps = [new ReplaceStep(start, to, after.slice(start, end.b + overlap))];
    if (turns(before, steps, after)) return steps;
  }
  return [new ReplaceStep(0, before.content.size, new Slice(after.content, 0, 0))];
}

function turns(before: Node, steps: readonly Step[], after: Node): boolean {
  let doc: Node | null = before;
  for (const step of steps) {
    const from: Node = doc;
    doc = tryStep(() => step.apply(from));
    if (doc === null) return false;
  }
  return doc.eq(after);
}
