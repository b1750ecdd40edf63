// KB_HIDDEN_CALLS=500 compares the times of this number of requests, else it is a few, of which no time is asserted.
const timedCalls = process.env.KB_HIDDEN_CALLS === undefined ? undefined : Number(process.env.KB_HIDDEN_CALLS);

type Compared = {
  /** Sends a request and returns its time in milliseconds; each kind by its own. */
  readonly kinds: Readonly<Record<string, (turn: number) => Promise<number>>>;
  /** Runs before each turn. */
  readonly before: (turn: number) => Promise<void> | void;
};

/**
 * Sends requests of each kind in turns, each kind first equally often. Returns the median of each kind over that of the first one;
 * nothing if the times are not compared.
 */
export async function compareTimes({ kinds, before }: Compared): Promise<Readonly<Record<string, number>>> {
  const names = Object.keys(kinds);
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let turn = 0; turn < (timedCalls ?? 6); turn += 1) {
    await before(turn);
    const first = turn % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      times.get(name)?.push((await kinds[name]?.(turn)) ?? Number.NaN);
    }
  }
  if (timedCalls === undefined) return {};
  const medians = names.map((name) => [name, median(times.get(name) ?? [])] as const);
  const base = medians[0]?.[1] ?? Number.NaN;
  const ratios = Object.fromEntries(medians.map(([name, ms]) => [name, ms / base]));
  const shown = medians.map(([name, ms]) => `${name} ${ms.toFixed(2)} ms (${(ms / base).toFixed(3)})`);
  console.log(`${timedCalls} requests of each kind: ${shown.join(", ")}`);
  return ratios;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
