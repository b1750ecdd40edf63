import type { Node } from "prosemirror-model";
import type { Step } from "prosemirror-transform";
import { isWrittenAgain } from "./leaf-text.ts";
import { Rebasing } from "./rebasing.ts";

/** Late steps in the form in which they apply after the steps that were accepted before them. */
export interface Rebased {
  /** The document after all of them. */
  readonly doc: Node;
  readonly steps: readonly Step[];
  /** For each of `steps`, the index of the sent step that it came from; rising. */
  readonly origins: readonly number[];
  /** Inserted text that no longer has a place, in the order in which it was sent; leaves as `leafText`. */
  readonly orphans: readonly string[];
}

/**
 * Rebases steps that were made for an earlier version of a document onto the current one. `since` are the steps
 * accepted in between. Nothing that they inserted is deleted, because the author of the late steps had not seen it.
 * The cost depends on the steps, not on the size of the document.
 */
export function rebase(doc: Node, steps: readonly Step[], since: readonly Step[]): Rebased {
  const rebasing = new Rebasing(steps);
  for (const step of since) rebasing.addForeign(step);
  const accepted: Step[] = [];
  const origins: number[] = [];
  const orphans: string[] = [];
  let current = doc;
  for (const [index, step] of steps.entries()) {
    const mapped = rebasing.map(index, current);
    if (mapped.lost !== "" && !isWrittenAgain(step, steps[index + 1])) orphans.push(mapped.lost);
    if (mapped.step === null) continue;
    current = mapped.doc;
    accepted.push(mapped.step);
    origins.push(index);
    rebasing.addPlaced(index, mapped.step);
  }
  return { doc: current, steps: accepted, origins, orphans };
}
