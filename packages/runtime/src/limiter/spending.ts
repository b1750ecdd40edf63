/** A window of spending is counted in parts of this length, so that it slides. */
export const partMs = 6_000;
/** The number of parts that count: those of a minute, and the one that it began in. */
export const partsPerWindow = 11;

/** Limits of what a key may spend within a minute, one for each kind of cost. */
export type Budget = { readonly key: string; readonly limits: readonly number[] };

/** The cost of a key in one part of a window, by kind. `part` is the time divided by `partMs`. */
export type Part = { readonly part: number; readonly amounts: readonly number[] };

/**
 * Finds the first kind of cost of which the budget is used up, and the time in milliseconds until enough of it has left the
 * window; undefined if there is none.
 */
export function exhausted(
  limits: readonly number[],
  parts: readonly Part[],
  at: number,
): { readonly kind: number; readonly resetMs: number } | undefined {
  const first = Math.floor(at / partMs) - partsPerWindow;
  const inside = parts.filter(({ part }) => part > first).toSorted((one, other) => one.part - other.part);
  for (const [kind, limit] of limits.entries()) {
    let spent = inside.reduce((sum, { amounts }) => sum + (amounts[kind] ?? 0), 0);
    if (spent < limit) continue;
    for (const { part, amounts } of inside) {
      spent -= amounts[kind] ?? 0;
      if (spent < limit) return { kind, resetMs: (part + partsPerWindow) * partMs - at };
    }
  }
  return undefined;
}
