import type { Allowance, Limiter, Verdict } from "./limiter.ts";

/** Keys remembered at most; the one that was used least recently goes first. */
const defaultMaxKeys = 10_000;

/**
 * A limiter in the memory of this process. `now` is a clock in milliseconds that never goes back.
 * Its memory is bounded: at most `maxKeys` lists of at most `limit` numbers.
 */
export function processLimiter(
  options: { now?: () => number; maxKeys?: number } = {},
): Limiter & { readonly size: number } {
  const { now = () => performance.now(), maxKeys = defaultMaxKeys } = options;
  // A Map keeps the order of insertion; a key is inserted anew whenever it is used.
  const takenAt = new Map<string, number[]>();

  const take = ({ key, limit, windowMs }: Allowance): Verdict => {
    const at = now();
    const inside = takenAt.get(key) ?? [];
    const firstInside = inside.findIndex((time) => time > at - windowMs);
    inside.splice(0, firstInside < 0 ? inside.length : firstInside);
    const allowed = inside.length < limit;
    if (allowed) inside.push(at);
    takenAt.delete(key);
    takenAt.set(key, inside);
    if (takenAt.size > maxKeys) forgetFirst(takenAt);
    const [oldest = at] = inside;
    return { allowed, remaining: limit - inside.length, resetMs: oldest + windowMs - at };
  };

  return {
    take: async (allowance) => take(allowance),
    get size() {
      return takenAt.size;
    },
  };
}

function forgetFirst(map: Map<string, unknown>): void {
  const [first] = map.keys();
  if (first !== undefined) map.delete(first);
}
