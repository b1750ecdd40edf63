/** A stream of numbers that a seed determines. */
export interface Random {
  /** An integer from 0 to below `end`. */
  below(end: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of these. */
  pick<T>(values: readonly T[]): T | undefined;
}

/** The generator mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (values) => values[below(values.length)],
  };
}
