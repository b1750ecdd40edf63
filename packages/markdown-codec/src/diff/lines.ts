/** One line of an edit script: kept, removed or added. */
export interface Step {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

// The cost of the exact search: it is quadratic in the number of edits, so that all gaps of one comparison share this
// much, and each line adds a little. A part beyond the budget is replaced as a whole.
const BASE_COST = 200_000;
const COST_PER_LINE = 8;

/** How many steps comparisons may still take together. */
export interface Budget {
  left: number;
}

/** The budget of all comparisons of an input with this many lines, or words. */
export const budgetFor = (lines: number): Budget => ({ left: BASE_COST + COST_PER_LINE * lines });

/** Compares two lists of lines. The script is the shortest one within a cost that is linear in the input. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
  budget: Budget = budgetFor(before.length + after.length),
): readonly Step[] {
  const comparison = new Comparison(budget);
  comparison.compare(before, after);
  return comparison.steps;
}

class Comparison {
  readonly steps: Step[] = [];
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  // Equal lines at both ends, then lines that occur once on both sides, divide the problem; Myers solves what is left.
  compare(a: readonly string[], b: readonly string[]): void {
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) start++;
    let tail = 0;
    while (tail < a.length - start && tail < b.length - start && a[a.length - 1 - tail] === b[b.length - 1 - tail])
      tail++;
    this.#all(" ", a.slice(0, start));
    this.#middle(a.slice(start, a.length - tail), b.slice(start, b.length - tail));
    this.#all(" ", a.slice(a.length - tail));
  }

  #middle(a: readonly string[], b: readonly string[]): void {
    let x = 0;
    let y = 0;
    for (const { before, after } of a.length > 0 && b.length > 0 ? uniqueMatches(a, b) : []) {
      this.#shortest(a.slice(x, before), b.slice(y, after));
      this.#all(" ", a.slice(before, before + 1));
      x = before + 1;
      y = after + 1;
    }
    this.#shortest(a.slice(x), b.slice(y));
  }

  #all(sign: Step["sign"], lines: readonly string[]): void {
    for (const text of lines) this.steps.push({ sign, text });
  }

  // Myers' greedy search. Each round keeps the furthest points, from which the script is read backwards.
  #shortest(a: readonly string[], b: readonly string[]): void {
    const rounds: Int32Array[] = [];
    let furthest = new Int32Array(3);
    for (let edits = 0; this.#budget.left > 0 && a.length > 0 && b.length > 0; edits++) {
      rounds.push(furthest);
      // Diagonal k is at index k + edits + 1.
      const next = new Int32Array(2 * edits + 3);
      for (let k = -edits; k <= edits; k += 2) {
        const start = startOf(furthest, k, edits);
        const x = slide(a, b, start, k);
        this.#budget.left -= 1 + x - start;
        next[k + edits + 1] = x;
        if (x >= a.length && x - k >= b.length) {
          for (const step of readBack(a, b, rounds)) this.steps.push(step);
          return;
        }
      }
      furthest = next;
    }
    this.#all("-", a);
    this.#all("+", b);
  }
}

// The furthest point of diagonal k in the round before the one of this many edits; -1 where it has none.
function pointAt(furthest: Int32Array, k: number, edits: number): number {
  return Math.abs(k) > edits - 1 ? -1 : (furthest[k + edits] ?? -1);
}

function comesDown(furthest: Int32Array, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && pointAt(furthest, k - 1, edits) < pointAt(furthest, k + 1, edits));
}

function startOf(furthest: Int32Array, k: number, edits: number): number {
  if (edits === 0) return 0;
  return comesDown(furthest, k, edits) ? pointAt(furthest, k + 1, edits) : pointAt(furthest, k - 1, edits) + 1;
}

function slide(a: readonly string[], b: readonly string[], start: number, k: number): number {
  let x = start;
  while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
  return x;
}

function readBack(a: readonly string[], b: readonly string[], rounds: readonly Int32Array[]): readonly Step[] {
  const back: Step[] = [];
  let x = a.length;
  let y = b.length;
  const keepTo = (lowX: number, lowY: number): void => {
    while (x > lowX && y > lowY) {
      back.push({ sign: " ", text: a[--x] ?? "" });
      y--;
    }
  };
  for (let edits = rounds.length - 1; edits > 0; edits--) {
    const furthest = rounds[edits] ?? new Int32Array(0);
    const k = x - y;
    const down = comesDown(furthest, k, edits);
    const fromX = pointAt(furthest, down ? k + 1 : k - 1, edits);
    const fromY = fromX - (down ? k + 1 : k - 1);
    keepTo(down ? fromX : fromX + 1, down ? fromY + 1 : fromY);
    if (down) back.push({ sign: "+", text: b[--y] ?? "" });
    else back.push({ sign: "-", text: a[--x] ?? "" });
  }
  keepTo(0, 0);
  return back.reverse();
}

/** A line that occurs once on both sides, by its indexes. */
interface Match {
  readonly before: number;
  readonly after: number;
}

function positions(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  lines.forEach((line, index) => {
    found.set(line, found.has(line) ? -1 : index);
  });
  return found;
}

// Pairs of lines that are unique on both sides, as the longest sequence that rises on both (patience diff).
function uniqueMatches(a: readonly string[], b: readonly string[]): readonly Match[] {
  const inB = positions(b);
  const matches: Match[] = [];
  for (const [line, before] of positions(a)) {
    const after = inB.get(line) ?? -1;
    if (before !== -1 && after !== -1) matches.push({ before, after });
  }
  matches.sort((one, other) => one.before - other.before);
  return longestRise(matches);
}

function longestRise(matches: readonly Match[]): readonly Match[] {
  const tops: number[] = [];
  const previous: number[] = [];
  matches.forEach(({ after }, index) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((matches[tops[middle] ?? 0]?.after ?? 0) < after) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = index;
  });
  const rise: Match[] = [];
  for (let index = tops.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) {
    const match = matches[index];
    if (match) rise.push(match);
  }
  return rise.reverse();
}
