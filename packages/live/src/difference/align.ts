import { diffArrays } from "diff/lib/diff/array.js";
import type { Range } from "../ranges.ts";

/** Items of one list that stand where other items of the other list stand; one of the two ranges may be empty. */
export interface DifferingRun {
  readonly before: Range;
  readonly after: Range;
}

/** How much work all comparisons of one difference may still do together. */
export interface ComparisonBudget {
  left: number;
}

const MOST_EDITS = 400;

/**
 * Compares two lists of keys. Returns the runs that differ, in order. The search is quadratic in the number of edits;
 * beyond the budget everything between the equal ends counts as one run.
 */
export function differingRuns(
  before: readonly string[],
  after: readonly string[],
  budget: ComparisonBudget,
): readonly DifferingRun[] {
  const { start, end } = equalEnds(before, after);
  const whole = { before: { from: start, to: before.length - end }, after: { from: start, to: after.length - end } };
  const isEmpty = ({ from, to }: Range) => from === to;
  if (isEmpty(whole.before) && isEmpty(whole.after)) return [];
  if (isEmpty(whole.before) || isEmpty(whole.after)) return [whole];
  const maxEditLength = Math.min(MOST_EDITS, Math.floor(Math.sqrt(Math.max(0, budget.left))));
  budget.left -= before.length + after.length - 2 * (start + end);
  const changes = diffArrays(before.slice(start, before.length - end), after.slice(start, after.length - end), {
    maxEditLength,
  });
  if (changes === undefined) {
    budget.left -= maxEditLength * maxEditLength;
    return [whole];
  }
  return runsOf(changes, start, budget);
}

interface Change {
  readonly added: boolean;
  readonly removed: boolean;
  readonly count: number;
}

function runsOf(changes: readonly Change[], start: number, budget: ComparisonBudget): readonly DifferingRun[] {
  const runs: DifferingRun[] = [];
  const run = { before: { from: start, to: start }, after: { from: start, to: start } };
  let edits = 0;
  const close = (kept: number): void => {
    if (run.before.from < run.before.to || run.after.from < run.after.to) {
      runs.push({ before: { ...run.before }, after: { ...run.after } });
    }
    run.before = { from: run.before.to + kept, to: run.before.to + kept };
    run.after = { from: run.after.to + kept, to: run.after.to + kept };
  };
  for (const { added, removed, count } of changes) {
    if (removed) run.before.to += count;
    else if (added) run.after.to += count;
    else close(count);
    if (added || removed) edits += count;
  }
  close(0);
  budget.left -= edits * edits;
  return runs;
}

function equalEnds(
  before: readonly string[],
  after: readonly string[],
): { readonly start: number; readonly end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { start, end };
}
