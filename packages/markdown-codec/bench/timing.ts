/** Milliseconds of processor time that this thread has used: other work on the machine does not count. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The clock of processor time ticks every few milliseconds: a sample is as many calls as fill this. */
const sampleMs = 80;

/** Work that is timed: a sample is `calls` calls, and a call of more than three seconds is made once. */
interface Timed {
  work: () => unknown;
  calls: number;
  samples: number[];
}

/** Warms the work up until it has filled a sample; one slow call is the only one. */
function warmedUp(work: () => unknown): Timed {
  const start = threadMs();
  let calls = 0;
  while (threadMs() - start < sampleMs) {
    work();
    calls += 1;
  }
  const first = (threadMs() - start) / calls;
  return { work, calls, samples: first > 3_000 ? [first] : [] };
}

function median(samples: number[]): number {
  return samples.sort((one, other) => one - other)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

/**
 * The median milliseconds of one call of each work. Their samples take turns: the machine's load touches all alike.
 * The turns fill `budgetMs` of processor time, and are at least three.
 */
export function mediansMs(works: (() => unknown)[], budgetMs = 6_000): number[] {
  const timed = works.map(warmedUp);
  const quick = timed.filter(({ samples }) => samples.length === 0);
  const until = threadMs() + budgetMs;
  for (let round = 0; round < 3 || threadMs() < until; round += 1) {
    for (const { work, calls, samples } of quick) {
      const start = threadMs();
      for (let call = 0; call < calls; call += 1) work();
      samples.push((threadMs() - start) / calls);
    }
  }
  return timed.map(({ samples }) => median(samples));
}
