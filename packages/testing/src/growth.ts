/** How much longer a call may take on twice the input. */
export const growthLimit = 2.6;
/** A call that takes less is mostly the engine's own allocations, and says nothing about the code. */
const floorMs = 5;

/** Milliseconds of processor time that this thread has used: a busy machine does not make it longer. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Processor milliseconds of one call: a batch of `batchMs`, since the clock ticks every few milliseconds. */
function batchedMs(work: () => unknown, batchMs: number): number {
  const start = threadMs();
  let calls = 0;
  for (; calls === 0 || threadMs() - start < batchMs; calls += 1) work();
  return (threadMs() - start) / calls;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * The growth from each work to the next, which does the same on twice the input: the median of the ratios of batches that
 * were made one after the other, so that neither a slow moment of the machine nor one batch without a garbage collection
 * decides. As long as a step looks too steep, more and longer batches are made, up to `mostRounds`. 0 for a step below
 * the floor.
 */
export function growths(works: readonly (() => unknown)[], mostRounds: number, limit: number = growthLimit): number[] {
  const rounds: number[][] = [];
  let steps = [Number.POSITIVE_INFINITY];
  while (rounds.length < mostRounds && (rounds.length < 3 || Math.max(...steps) > limit)) {
    rounds.push(works.map((work) => batchedMs(work, rounds.length < 3 ? 10 : 40)));
    steps = works.slice(1).map((_, size) => {
      const whole = median(rounds.map((times) => times[size + 1] ?? 0));
      return whole < floorMs ? 0 : median(rounds.map((times) => (times[size + 1] ?? 0) / (times[size] ?? 1)));
    });
  }
  return steps;
}
