import { serializeMarkdown } from "./serialize.ts";
import type { DocJSON } from "./types.ts";

const CONTEXT = 3;
// Beyond this many differing lines in one place the exact shortest script is not worth its quadratic cost.
const MOST_EDITS = 1000;

/** One line of the script: kept, removed or added. */
interface Step {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/**
 * What changed between two documents (or two texts of Markdown), as the hunks of a unified diff with three lines of
 * context. Empty where nothing changed.
 */
export function diff(before: DocJSON | string, after: DocJSON | string): string {
  const steps: Step[] = [];
  compare(linesOf(before), linesOf(after), steps);
  return hunks(steps).join("\n");
}

function linesOf(source: DocJSON | string): string[] {
  const text = typeof source === "string" ? source : serializeMarkdown(source);
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function keep(lines: readonly string[], steps: Step[]): void {
  for (const text of lines) steps.push({ sign: " ", text });
}

// Equal lines at both ends, then lines that occur once on both sides, divide the problem; Myers solves what is left.
function compare(a: readonly string[], b: readonly string[], steps: Step[]): void {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < a.length - start && tail < b.length - start && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail++;
  keep(a.slice(0, start), steps);
  const left = a.slice(start, a.length - tail);
  const right = b.slice(start, b.length - tail);
  const anchors = left.length > 0 && right.length > 0 ? uniqueMatches(left, right) : [];
  if (anchors.length === 0) shortest(left, right, steps);
  else {
    let [x, y] = [0, 0];
    for (const [i, j] of anchors) {
      shortest(left.slice(x, i), right.slice(y, j), steps);
      keep(left.slice(i, i + 1), steps);
      [x, y] = [i + 1, j + 1];
    }
    shortest(left.slice(x), right.slice(y), steps);
  }
  keep(a.slice(a.length - tail), steps);
}

function positions(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  lines.forEach((line, index) => {
    found.set(line, found.has(line) ? -1 : index);
  });
  return found;
}

// Pairs of lines that are unique on both sides, as the longest sequence that rises on both (patience diff).
function uniqueMatches(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const inB = positions(b);
  const pairs: (readonly [number, number])[] = [];
  for (const [line, i] of positions(a)) {
    const j = inB.get(line) ?? -1;
    if (i !== -1 && j !== -1) pairs.push([i, j]);
  }
  pairs.sort((x, y) => x[0] - y[0]);
  return longestRise(pairs);
}

function longestRise(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const tops: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, j], index) => {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < j) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = index;
  });
  const rise: (readonly [number, number])[] = [];
  for (let index = tops.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair) rise.push(pair);
  }
  return rise.reverse();
}

function replaceAll(a: readonly string[], b: readonly string[], steps: Step[]): void {
  for (const text of a) steps.push({ sign: "-", text });
  for (const text of b) steps.push({ sign: "+", text });
}

// Myers' greedy search. Each round keeps the furthest points, from which the way is read backwards.
function shortest(a: readonly string[], b: readonly string[], steps: Step[]): void {
  const rounds: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= MOST_EDITS && a.length > 0 && b.length > 0; edits++) {
    rounds.push(furthest);
    const next = new Map<number, number>();
    for (let k = -edits; k <= edits; k += 2) {
      const x = slide(a, b, startOf(furthest, k, edits), k);
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) {
        readBack(a, b, rounds, steps);
        return;
      }
    }
    furthest = next;
  }
  replaceAll(a, b, steps);
}

function comesDown(furthest: ReadonlyMap<number, number>, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
}

function startOf(furthest: ReadonlyMap<number, number>, k: number, edits: number): number {
  return comesDown(furthest, k, edits) ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
}

function slide(a: readonly string[], b: readonly string[], start: number, k: number): number {
  let x = start;
  while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
  return x;
}

function readBack(
  a: readonly string[],
  b: readonly string[],
  rounds: readonly ReadonlyMap<number, number>[],
  steps: Step[],
): void {
  const back: Step[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = rounds.length - 1; edits >= 0; edits--) {
    const furthest = rounds[edits] ?? new Map();
    const k = x - y;
    const down = comesDown(furthest, k, edits);
    const fromX = furthest.get(down ? k + 1 : k - 1) ?? 0;
    const fromY = fromX - (down ? k + 1 : k - 1);
    while (x > (down ? fromX : fromX + 1) && y > (down ? fromY + 1 : fromY) && x > 0 && y > 0) {
      back.push({ sign: " ", text: a[--x] ?? "" });
      y--;
    }
    if (edits === 0) break;
    if (down) back.push({ sign: "+", text: b[--y] ?? "" });
    else back.push({ sign: "-", text: a[--x] ?? "" });
  }
  for (const step of back.reverse()) steps.push(step);
}

function hunks(steps: readonly Step[]): string[] {
  const out: string[] = [];
  let [before, after] = [1, 1];
  let index = 0;
  while (index < steps.length) {
    let change = index;
    while (steps[change]?.sign === " ") change++;
    if (change >= steps.length) break;
    const start = Math.max(index, change - CONTEXT);
    const skipped = start - index;
    const end = hunkEnd(steps, change);
    const part = steps.slice(start, end);
    [before, after] = [before + skipped, after + skipped];
    const removed = part.filter((step) => step.sign !== "+").length;
    const added = part.filter((step) => step.sign !== "-").length;
    out.push(`@@ -${range(before, removed)} +${range(after, added)} @@`);
    for (const step of part) out.push(step.sign + step.text);
    [before, after] = [before + removed, after + added];
    index = end;
  }
  return out;
}

// A hunk goes on while the next change is so near that the contexts touch.
function hunkEnd(steps: readonly Step[], firstChange: number): number {
  let last = firstChange;
  for (let index = firstChange; index < steps.length && index - last <= 2 * CONTEXT; index++) {
    if (steps[index]?.sign !== " ") last = index;
  }
  return Math.min(steps.length, last + 1 + CONTEXT);
}

// As in the unified format: an empty range is named by the line before it.
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
