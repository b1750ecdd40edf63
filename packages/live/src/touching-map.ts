import { type MapResult, StepMap } from "prosemirror-transform";

/**
 * Maps positions over ranges of which some touch. A `StepMap` takes the first range that a position touches: a position that stays
 * with what follows would end up before the others, and text behind them would seem to lie in them. The ranges keep their numbers,
 * by which mirrored maps find positions again.
 */
export class TouchingMap extends StepMap {
  /** Start, old size and new size of each range. */
  readonly #numbers: readonly number[];
  readonly #starts: number[] = [];
  /** How far the ranges before each one move it. */
  readonly #shifts: number[] = [];
  #inverse: TouchingMap | undefined;

  /** @param numbers start, old size and new size of each range, sorted; without overlap */
  constructor(numbers: readonly number[]) {
    super(numbers);
    this.#numbers = numbers;
    let shift = 0;
    for (let at = 0; at < numbers.length; at += 3) {
      const [start = 0, before = 0, after = 0] = numbers.slice(at, at + 3);
      this.#starts.push(start);
      this.#shifts.push(shift);
      shift += after - before;
    }
  }

  override map(position: number, side = 1): number {
    return this.mapResult(position, side).pos;
  }

  override mapResult(position: number, side = 1): MapResult {
    const last = side > 0 ? this.#lastAt(position) : null;
    return last === null ? super.mapResult(position, side) : last.mapResult(position, side);
  }

  override invert(): StepMap {
    this.#inverse ??= new TouchingMap(
      this.#starts.flatMap((start, index) => {
        const [, before = 0, after = 0] = this.#numbers.slice(3 * index, 3 * index + 3);
        return [start + (this.#shifts[index] ?? 0), after, before];
      }),
    );
    return this.#inverse;
  }

  /** Returns a map with only the last of several ranges that touch a position, with its number; null where at most one does. */
  #lastAt(position: number): StepMap | null {
    const index = lastAtMost(this.#starts, position);
    const at = 3 * index;
    if (index < 1 || this.#starts[index] !== position) return null;
    const [start = 0, size = 0] = this.#numbers.slice(at - 3, at - 1);
    if (start + size !== position) return null;
    // The others lie before every position, and the first of them moves it as all do.
    const alone = new Array<number>(at).fill(-1);
    alone.splice(1, 2, 0, this.#shifts[index] ?? 0);
    return new StepMap([...alone, ...this.#numbers.slice(at, at + 3)]);
  }
}

/** Returns the index of the last of sorted numbers that is at most `most`; -1 if none is. */
function lastAtMost(sorted: readonly number[], most: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
