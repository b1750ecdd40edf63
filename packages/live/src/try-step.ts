import { type Node, ReplaceError } from "prosemirror-model";
import type { StepResult } from "prosemirror-transform";

/**
 * Runs the application of a step. Returns the document after it, or null where it does not apply: its positions lie
 * outside of the document, or the result would violate the schema.
 */
export function tryStep(apply: () => StepResult): Node | null {
  try {
    return apply().doc;
  } catch (error) {
    if (error instanceof RangeError || error instanceof ReplaceError) return null;
    throw error;
  }
}
