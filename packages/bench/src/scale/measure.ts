import { slice } from "../load.ts";
import { median } from "../median.ts";
import { openLoop } from "./open-loop.ts";
import type { ServedSet } from "./set.ts";

/** The figures of one operation at one size: times in milliseconds. */
export type Figure = {
  readonly count: number;
  /** Responses per second with eight concurrent requests (closed loop). */
  readonly capacity: number;
  /** Requests per second in the measurement of latency (open loop). */
  readonly rate: number;
  readonly p50: number;
  readonly p95: number;
  /** p95 divided by that of the smallest size, the median of the rounds. */
  readonly growth: number;
};

export type Measured = { readonly name: string; readonly figures: readonly Figure[] };

/** The maximum share of the capacity in the measurement of latency. A larger one would measure the queue. */
const maxShare = 0.3;
const warmUpMs = 700;

/** Measures the operation at `index` on every set in turn, so that a slower machine affects all sizes. */
export async function measureOperation(
  sets: readonly ServedSet[],
  index: number,
  { rounds, sliceMs }: { rounds: number; sliceMs: number },
): Promise<Measured> {
  const runs = sets.map((set) => runsOf(set, index));
  const capacities: number[][] = runs.map(() => []);
  for (let round = 0; round < Math.ceil(rounds / 2); round += 1) {
    for (const [at, run] of runs.entries()) capacities[at]?.push(await run.closed(sliceMs));
  }
  const rates = runs.map((run, at) => Math.max(0.5, Math.min(run.rate, maxShare * median(capacities[at] ?? []))));
  const latencies: number[][][] = runs.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, run] of runs.entries()) latencies[at]?.push(await run.open(rates[at] ?? 1, sliceMs * 2));
  }
  const figures = sets.map((set, at): Figure => {
    const all = (latencies[at] ?? []).flat();
    const pairs = (latencies[at] ?? []).map(
      (own, round) => quantile(own, 0.95) / quantile(latencies[0]?.[round] ?? [], 0.95),
    );
    return {
      count: set.count,
      capacity: median(capacities[at] ?? []),
      rate: rates[at] ?? 0,
      p50: quantile(all, 0.5),
      p95: quantile(all, 0.95),
      growth: median(pairs),
    };
  });
  return { name: sets[0]?.operations[index]?.scenario.name ?? "", figures };
}

type Runs = {
  readonly rate: number;
  closed(durationMs: number): Promise<number>;
  open(perSecond: number, durationMs: number): Promise<number[]>;
};

function runsOf({ operations, servers, subjects }: ServedSet, index: number): Runs {
  const operation = operations[index];
  if (operation === undefined) throw new RangeError("there is no such operation");
  const target = { port: servers[operation.app].port, key: operation.key(subjects) };
  let next = 0;
  let warm = false;
  const closed = async (durationMs: number): Promise<number> => {
    const { count, perSecond } = await slice(target, operation.scenario, next, durationMs);
    next += count;
    return perSecond;
  };
  return {
    rate: operation.rate,
    closed: async (durationMs) => {
      if (!warm) await closed(warmUpMs);
      warm = true;
      return closed(durationMs);
    },
    open: async (perSecond, durationMs) => {
      const taken = await openLoop(target, operation.scenario, next, perSecond, durationMs);
      next += taken.length;
      return taken;
    },
  };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
