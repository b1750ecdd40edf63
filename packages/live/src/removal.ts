import { type Node, Slice } from "prosemirror-model";
import { ReplaceStep } from "prosemirror-transform";
import { type Range, withoutRanges } from "./ranges.ts";
import { tryStep } from "./try-step.ts";

/** Ranges that can be removed, from the last to the first, and the document without them. */
export interface Removal {
  readonly doc: Node;
  readonly ranges: readonly Range[];
}

/** How many ranges the removals of one batch may still try: bounds the cost of deletions that many others wrote into. */
export interface RemovalBudget {
  left: number;
}

/**
 * Removes as much of a range as the schema allows while it keeps the spared ranges: the parts between them as a whole
 * where that is valid, else the nodes and the text that they fully cover. Structure that cannot be removed stays.
 */
export function removeAround(doc: Node, range: Range, spared: readonly Range[], budget: RemovalBudget): Removal {
  const search = new RemovalSearch(doc, budget);
  for (const part of [...withoutRanges(range, spared)].reverse()) search.remove(part);
  return { doc: search.doc, ranges: search.ranges };
}

class RemovalSearch {
  doc: Node;
  readonly ranges: Range[] = [];
  readonly #budget: RemovalBudget;

  constructor(doc: Node, budget: RemovalBudget) {
    this.doc = doc;
    this.#budget = budget;
  }

  remove(range: Range): void {
    if (!this.#try(range)) this.#removeInside(this.doc, 0, range);
  }

  /** Removes what lies in the range from the children of a node, the last child first. */
  #removeInside(node: Node, contentStart: number, { from, to }: Range): void {
    const children: { readonly node: Node; readonly start: number }[] = [];
    node.forEach((child, offset) => {
      const start = contentStart + offset;
      if (start < to && start + child.nodeSize > from) children.push({ node: child, start });
    });
    const isCovered = (child: Node, start: number) => start >= from && start + child.nodeSize <= to;
    const covered = children.filter((child) => isCovered(child.node, child.start));
    const first = covered[0];
    const last = covered.at(-1);
    const run = first && last && { from: first.start, to: last.start + last.node.nodeSize };
    let isRunRemoved = false;
    for (const child of children.reverse()) {
      if (run !== undefined && isCovered(child.node, child.start)) {
        // One attempt for all covered children; each is tried by itself where that is not valid.
        if (child === last) isRunRemoved = this.#try(run);
        if (isRunRemoved || this.#try({ from: child.start, to: child.start + child.node.nodeSize })) continue;
      }
      if (child.node.isText) this.#try({ from: Math.max(from, child.start), to: Math.min(to, endOf(child)) });
      else if (!child.node.isLeaf) this.#removeInside(child.node, child.start + 1, { from, to });
    }
  }

  #try({ from, to }: Range): boolean {
    if (from >= to || this.#budget.left <= 0) return false;
    this.#budget.left--;
    const result = tryStep(() => new ReplaceStep(from, to, Slice.empty).apply(this.doc));
    if (result === null) return false;
    this.doc = result;
    this.ranges.push({ from, to });
    return true;
  }
}

function endOf({ node, start }: { readonly node: Node; readonly start: number }): number {
  return start + node.nodeSize;
}
