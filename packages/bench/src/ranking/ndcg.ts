/** Returns the normalised discounted cumulative gain of the first ten grades of a result, from 0 to 1. */
export function ndcgAt10(found: readonly number[], all: readonly number[]): number {
  const ideal = gain(all.toSorted((a, b) => b - a));
  return ideal === 0 ? 0 : gain(found) / ideal;
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
}
