/** A range of positions of a document; `to` is not included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Sorts ranges and joins those that touch. Empty ranges are left out. */
export function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.filter(({ from, to }) => from < to).sort((one, other) => one.from - other.from);
  const joined: Range[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && range.from <= last.to) {
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    } else joined.push(range);
  }
  return joined;
}

/**
 * Returns the parts of a range that none of the given ranges covers, in order. The given ranges are sorted and do not
 * overlap; an empty one divides the range.
 */
export function withoutRanges({ from, to }: Range, covered: readonly Range[]): readonly Range[] {
  const parts: Range[] = [];
  let start = from;
  for (const range of covered) {
    if (range.to <= start) continue;
    if (range.from >= to) break;
    if (range.from > start) parts.push({ from: start, to: range.from });
    start = range.to;
  }
  if (start < to) parts.push({ from: start, to });
  return parts;
}
