/** A measured value at a moment, in any units. */
export type Sample = { readonly at: number; readonly value: number };

/** Returns the growth per unit of time: the slope of the least-squares line through the samples. */
export function slopeOf(samples: readonly Sample[]): number {
  const meanAt = mean(samples.map(({ at }) => at));
  const meanValue = mean(samples.map(({ value }) => value));
  let above = 0;
  let below = 0;
  for (const { at, value } of samples) {
    above += (at - meanAt) * (value - meanValue);
    below += (at - meanAt) ** 2;
  }
  return above / below;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
