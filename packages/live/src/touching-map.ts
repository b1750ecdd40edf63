import { type MapResult, StepMap } from "prosemirror-transform";

/**
 * Maps positions over ranges of which some touch. A `StepMap` takes the first range that a position touches: a position that stays
 * with what follows would end up before the others, and text behind them would seem to lie in them. The ranges keep their numbers,
 * by which mirrored maps find positions again.
 */
export class TouchingMap extends StepMap {
  readonly #ranges: readonly Range[];

  /** @param ranges start, old size and new size of each range, sorted; without overlap */
  constructor(ranges: readonly number[]) {
    super(ranges);
    this.#ranges = rangesOf(ranges);
  }

  override map(position: number, side = 1): number {
    return this.mapResult(position, side).pos;
  }

  override mapResult(position: number, side = 1): MapResult {
    const last = side > 0 ? this.#lastAt(position) : null;
    return last === null ? super.mapResult(position, side) : last.mapResult(position, side);
  }

  override invert(): StepMap {
    let shift = 0;
    const inverted = this.#ranges.flatMap(([start, before, after]) => {
      const range = [start + shift, after, before];
      shift += after - before;
      return range;
    });
    return new TouchingMap(inverted);
  }

  /** Returns a map with only the last of several ranges that touch a position, with its number; null where at most one does. */
  #lastAt(position: number): StepMap | null {
    const index = this.#ranges.findLastIndex(([start]) => start <= position);
    const last = this.#ranges[index];
    const previous = this.#ranges[index - 1];
    if (last === undefined || last[0] !== position || previous === undefined) return null;
    if (previous[0] + previous[1] !== position) return null;
    const earlier = this.#ranges.slice(0, index);
    const shift = earlier.reduce((sum, [, before, after]) => sum + after - before, 0);
    // The others lie before every position, and the first of them shifts it as all do.
    return new StepMap([...earlier.flatMap((_, each) => [-1, 0, each === 0 ? shift : 0]), ...last]);
  }
}

type Range = readonly [start: number, before: number, after: number];

function rangesOf(numbers: readonly number[]): readonly Range[] {
  return Array.from({ length: numbers.length / 3 }, (_, index): Range => {
    const [start = 0, before = 0, after = 0] = numbers.slice(3 * index, 3 * index + 3);
    return [start, before, after];
  });
}
