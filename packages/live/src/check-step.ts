import type { Fragment, Schema, Slice } from "prosemirror-model";
import { ReplaceAroundStep, ReplaceStep, Step } from "prosemirror-transform";
import { ReplaceRangesStep } from "./replace-ranges-step.ts";

/**
 * Reads a step and checks all that it can insert against the schema: the names and attributes of nodes and marks, and
 * the content of each node that the slice closes. The nodes that stay open are checked when the step is applied. The
 * cost depends on the step only.
 * @throws {RangeError} Where the JSON is not a step of the schema.
 */
export function readStep(schema: Schema, json: unknown): Step {
  const step = stepFromJSON(schema, json);
  if (step instanceof ReplaceStep) {
    requireRising(step.from, step.to);
    checkSlice(step.slice);
  } else if (step instanceof ReplaceAroundStep) {
    requireRising(step.from, step.gapFrom, step.gapTo, step.to);
    requireRising(step.insert, step.slice.size);
    checkSlice(step.slice, [step.insert + step.slice.openStart]);
  } else if (step instanceof ReplaceRangesStep) {
    for (const { slice } of step.replacements) checkSlice(slice);
  }
  return step;
}

function stepFromJSON(schema: Schema, json: unknown): Step {
  if (typeof json !== "object" || json === null) throw new RangeError("A step is an object");
  try {
    return Step.fromJSON(schema, json);
  } catch (error) {
    // ProseMirror reads properties of what it takes for objects.
    if (error instanceof TypeError) throw new RangeError("Not a step of the schema", { cause: error });
    throw error;
  }
}

function requireRising(...positions: readonly number[]): void {
  let least = 0;
  for (const position of positions) {
    if (!Number.isSafeInteger(position) || position < least) throw new RangeError("The positions of a step rise");
    least = position;
  }
}

/**
 * Checks the nodes that a slice closes. Those around its open sides and around the gaps get the rest of their content when the
 * step is applied.
 * @throws {RangeError}
 */
export function checkSlice({ content, openStart, openEnd }: Slice, gaps: readonly number[] = []): void {
  requireRising(openStart, content.size - openEnd, content.size);
  checkContent(content, 0, [openStart, content.size - openEnd, ...gaps]);
}

/** Checks the nodes from this position on. Those around one of the `open` positions may be incomplete. */
function checkContent(content: Fragment, start: number, open: readonly number[]): void {
  content.forEach((node, offset) => {
    const from = start + offset;
    const to = from + node.nodeSize;
    if (!open.some((position) => from < position && position < to)) node.check();
    else if (node.isLeaf) throw new RangeError("A slice is open inside of a leaf");
    else checkContent(node.content, from + 1, open);
  });
}
