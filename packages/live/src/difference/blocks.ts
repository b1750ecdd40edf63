import { Fragment, type Node, Slice } from "prosemirror-model";
import { AttrStep, ReplaceAroundStep, type Step } from "prosemirror-transform";
import type { Range } from "../ranges.ts";
import type { Replacement } from "../replace-ranges-step.ts";
import { type ComparisonBudget, type DifferingRun, differingRuns } from "./align.ts";
import { inlineDifference } from "./inline.ts";
import { pairsOf } from "./pairs.ts";

const COMPARISONS = 1_000_000;

/** Compares documents block by block, and blocks that are versions of each other in their parts. */
export class BlockDifference {
  /** Changes of the types and attributes of blocks. They move no position. */
  readonly retypings: Step[] = [];
  /** In the positions of the document before; sorted. */
  readonly replacements: Replacement[] = [];
  readonly #budget: ComparisonBudget = { left: COMPARISONS };

  /** Compares the content of two nodes; that of the first begins at this position. */
  compare(before: Node, after: Node, start: number): void {
    if (before.inlineContent && after.inlineContent) {
      for (const { from, to, slice } of inlineDifference(before, after, this.#budget)) {
        this.replacements.push({ from: start + from, to: start + to, slice });
      }
      return;
    }
    const starts = startsOf(before, start);
    for (const run of runsOf(before, after, this.#budget)) this.#compareRun(before, after, run, starts);
  }

  /** `starts` are the positions of the children of `before`, and of its end. */
  #compareRun(before: Node, after: Node, run: DifferingRun, starts: readonly number[]): void {
    let old = run.before.from;
    let next = run.after.from;
    const replaceTo = (oldEnd: number, nextEnd: number): void => {
      if (old === oldEnd && next === nextEnd) return;
      const slice = new Slice(Fragment.fromArray(after.content.content.slice(next, nextEnd)), 0, 0);
      this.replacements.push({ from: positionOf(starts, old), to: positionOf(starts, oldEnd), slice });
    };
    for (const pair of pairsOf(before, after, run, this.#budget)) {
      replaceTo(pair.before, pair.after);
      this.#comparePair(before.child(pair.before), after.child(pair.after), positionOf(starts, pair.before));
      old = pair.before + 1;
      next = pair.after + 1;
    }
    replaceTo(run.before.to, run.after.to);
  }

  /** Compares two versions of a block that begins at this position. */
  #comparePair(before: Node, after: Node, position: number): void {
    if (before.type !== after.type) {
      const end = position + before.nodeSize;
      const slice = new Slice(Fragment.from(after.type.create(after.attrs, null, after.marks)), 0, 0);
      this.retypings.push(new ReplaceAroundStep(position, end, position + 1, end - 1, slice, 1, true));
    } else {
      for (const [name, value] of Object.entries(after.attrs)) {
        if (!isSameValue(before.attrs[name], value)) this.retypings.push(new AttrStep(position, name, value));
      }
    }
    if (!before.isLeaf) this.compare(before, after, position + 1);
  }
}

function runsOf(before: Node, after: Node, budget: ComparisonBudget): readonly DifferingRun[] {
  const most = Math.min(before.childCount, after.childCount);
  let start = 0;
  while (start < most && before.child(start).eq(after.child(start))) start++;
  let end = 0;
  while (end < most - start && isSameFromEnd(before, after, end)) end++;
  const middle = {
    before: { from: start, to: before.childCount - end },
    after: { from: start, to: after.childCount - end },
  };
  const isShort = ({ from, to }: Range) => to - from <= 1;
  if (isShort(middle.before) && isShort(middle.after)) return [middle];
  const keysOf = (node: Node, { from, to }: Range) =>
    node.content.content.slice(from, to).map((child) => JSON.stringify(child.toJSON()));
  const runs = differingRuns(keysOf(before, middle.before), keysOf(after, middle.after), budget);
  return runs.map((run) => ({ before: moved(run.before, start), after: moved(run.after, start) }));
}

function isSameFromEnd(before: Node, after: Node, end: number): boolean {
  return before.child(before.childCount - 1 - end).eq(after.child(after.childCount - 1 - end));
}

function moved({ from, to }: Range, by: number): Range {
  return { from: from + by, to: to + by };
}

function startsOf(parent: Node, start: number): readonly number[] {
  const starts: number[] = [];
  parent.forEach((_child, offset) => void starts.push(start + offset));
  return [...starts, start + parent.content.size];
}

function positionOf(starts: readonly number[], index: number): number {
  const position = starts[index];
  if (position === undefined) throw new RangeError(`There is no child ${index}`);
  return position;
}

function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
