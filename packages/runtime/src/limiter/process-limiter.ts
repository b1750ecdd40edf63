import type { Allowance, Limiter, Verdict } from "./limiter.ts";
import { exhausted, type Part, partMs, partsPerWindow } from "./spending.ts";

/** At most this many keys are remembered; the least recently used one is forgotten first. */
const defaultMaxKeys = 10_000;

/**
 * Creates a limiter in the memory of this process. `now` is a monotonic clock in milliseconds.
 * Its memory is bounded: at most `maxKeys` lists of at most twice `limit` numbers, and as many of at most ten parts.
 */
export function processLimiter(
  options: { now?: () => number; maxKeys?: number } = {},
): Limiter & { readonly size: number } {
  const { now = () => performance.now(), maxKeys = defaultMaxKeys } = options;
  // A Map keeps the order of insertion, so each use removes the key and inserts it again.
  const takenAt = new Map<string, Window>();
  const spent = new Map<string, Part[]>();

  const take = ({ key, limit, windowMs, count = 1, budget }: Allowance): Verdict => {
    const at = now();
    const inside = takenAt.get(key) ?? new Window();
    inside.leave(at - windowMs);
    const over = budget === undefined ? undefined : exhausted(budget.limits, spent.get(budget.key) ?? [], at);
    if (over !== undefined) {
      return { allowed: false, remaining: limit - inside.length, resetMs: over.resetMs, exhausted: over.kind };
    }
    const surplus = inside.length + count - limit;
    const allowed = surplus <= 0;
    if (allowed) for (let counted = 0; counted < count; counted += 1) inside.enter(at);
    remember(takenAt, key, inside, maxKeys);
    const leaving = inside.at(allowed ? 0 : surplus - 1) ?? at;
    return { allowed, remaining: limit - inside.length, resetMs: leaving + windowMs - at };
  };

  const spend = (key: string, amounts: readonly number[]): void => {
    const part = Math.floor(now() / partMs);
    const inside = (spent.get(key) ?? []).filter((known) => known.part > part - partsPerWindow);
    const current = inside.find((known) => known.part === part);
    const others = inside.filter((known) => known !== current);
    const sum = amounts.map((amount, kind) => amount + (current?.amounts[kind] ?? 0));
    remember(spent, key, [...others, { part, amounts: sum }], maxKeys);
  };

  return {
    take: async (allowance) => take(allowance),
    spend: async (key, amounts) => spend(key, amounts),
    get size() {
      return takenAt.size;
    },
  };
}

/** The times of the requests of a key, oldest first. Removing one moves the others only once in a while. */
class Window {
  #times: number[] = [];
  #first = 0;

  get length(): number {
    return this.#times.length - this.#first;
  }

  at(index: number): number | undefined {
    return this.#times[this.#first + index];
  }

  enter(time: number): void {
    this.#times.push(time);
  }

  /** Removes the times up to this one. */
  leave(last: number): void {
    while ((this.at(0) ?? Number.POSITIVE_INFINITY) <= last) this.#first += 1;
    if (this.#first * 2 < this.#times.length) return;
    this.#times = this.#times.slice(this.#first);
    this.#first = 0;
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value, maxKeys: number): void {
  map.delete(key);
  map.set(key, value);
  const [first] = map.keys();
  if (map.size > maxKeys && first !== undefined) map.delete(first);
}
