import { type Budget, compareLines } from "../diff/lines.ts";

/** A part of a row that a side replaced: which, and by what. */
interface Change {
  readonly from: number;
  to: number;
  readonly own: number[];
}

/**
 * Merges three rows of names: of words or of lines. Returns which elements of mine (`side` 0), theirs (1) or the base (2)
 * make up the result; undefined where both sides changed the same place in different ways.
 */
export function mergeRows(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  budget: Budget,
): readonly { readonly side: 0 | 1 | 2; readonly index: number }[] | undefined {
  const sides = [mine, theirs] as const;
  const changes = sides.map((own) => changesOf(base, own, budget));
  const out: { side: 0 | 1 | 2; index: number }[] = [];
  const next = [0, 0];
  let at = 0;
  for (;;) {
    const a = changes[0]?.[next[0] ?? 0];
    const b = changes[1]?.[next[1] ?? 0];
    if (!a && !b) break;
    if (a && b && isSame(a, b, mine, theirs)) next[1] = (next[1] ?? 0) + 1;
    else if (a && b && overlap(a, b)) return undefined;
    const side = a && (!b || comesFirst(a, b)) ? 0 : 1;
    const change = side === 0 ? a : b;
    if (!change) break;
    for (; at < change.from; at++) out.push({ side: 2, index: at });
    for (const index of change.own) out.push({ side, index });
    at = Math.max(at, change.to);
    next[side] = (next[side] ?? 0) + 1;
  }
  for (; at < base.length; at++) out.push({ side: 2, index: at });
  return out;
}

function changesOf(base: readonly string[], own: readonly string[], budget: Budget): readonly Change[] {
  const changes: Change[] = [];
  let open: Change | undefined;
  let x = 0;
  let y = 0;
  for (const { sign } of compareLines(base, own, budget)) {
    if (sign === " ") {
      open = undefined;
      x++;
      y++;
      continue;
    }
    if (!open) {
      open = { from: x, to: x, own: [] };
      changes.push(open);
    }
    if (sign === "-") open.to = ++x;
    else open.own.push(y++);
  }
  return changes;
}

function isSame(a: Change, b: Change, mine: readonly string[], theirs: readonly string[]): boolean {
  if (a.from !== b.from || a.to !== b.to || a.own.length !== b.own.length) return false;
  return a.own.every((index, at) => mine[index] === theirs[b.own[at] ?? -1]);
}

// Two insertions at one place overlap; one at the edge of a replacement does not.
function overlap(a: Change, b: Change): boolean {
  if (a.from === b.from && (a.to === b.to || (a.to > a.from && b.to > b.from))) return true;
  return a.from < b.to && b.from < a.to;
}

function comesFirst(a: Change, b: Change): boolean {
  return a.from < b.from || (a.from === b.from && a.to <= b.to);
}
