import { parseArgs } from "node:util";
import { growthLimit, threadMs } from "@kb/testing/growth";
import fc from "fast-check";
import { structures, works } from "./growth-works.ts";
import { workOrRefusal } from "./work-or-refusal.ts";

// `pnpm growth --structures 10 --bytes 1500000` measures how much longer every public function takes on twice the
// input, over random structures and three doublings up to `bytes`, in processor time. A step that looks too steep is
// measured again: its median decides. Ends with 1 if a median is above the limit.

const { values } = parseArgs({
  options: {
    structures: { type: "string", default: "10" },
    bytes: { type: "string", default: "1500000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const doublings = 3;
const maxSamples = 15;
/** Below it, the clock and the garbage collector decide. */
const floorMs = 60;

function onceMs(work: () => unknown): number {
  const start = threadMs();
  workOrRefusal(work);
  return threadMs() - start;
}

const median = (samples: readonly number[]): number => [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? 0;

/** Returns the median growth from one work to the next, with as many samples as it takes to stay below the limit. */
function growth(small: () => unknown, large: () => unknown): { ratio: number; ms: number } {
  const smalls: number[] = [];
  const larges: number[] = [];
  let ratio = Number.POSITIVE_INFINITY;
  while (larges.length < maxSamples && ratio > growthLimit) {
    smalls.push(onceMs(small));
    larges.push(onceMs(large));
    ratio = median(larges) < floorMs ? 0 : median(larges) / Math.max(0.1, median(smalls));
  }
  return { ratio, ms: median(larges) };
}

type Steepest = { readonly ratio: number; readonly ms: number; readonly structure: string };

const steepest = new Map<string, Steepest>();
const sizes = Array.from({ length: doublings + 1 }, (_, step) => Number(values.bytes) / 2 ** (doublings - step));
const samples = fc.sample(structures, { numRuns: Number(values.structures), seed: Number(values.seed) });
for (const structure of samples) {
  for (const [index, bytes] of sizes.slice(1).entries()) {
    const small = works(structure, sizes[index] ?? bytes);
    for (const [name, work] of Object.entries(works(structure, bytes))) {
      const { ratio, ms } = growth(small[name] ?? work, work);
      const known = steepest.get(name);
      const shown = `${JSON.stringify(structure)}, ${bytes} bytes`;
      if (ratio > (known?.ratio ?? -1)) steepest.set(name, { ratio, ms, structure: shown });
      if (ratio > growthLimit) console.log(`STEEP ${name}: ${ratio.toFixed(2)} to ${ms.toFixed(0)} ms on ${shown}`);
    }
  }
}
console.log(`${samples.length} structures up to ${values.bytes} bytes, seed ${values.seed}`);
for (const [name, { ratio, ms }] of steepest) {
  const step = ratio === 0 ? "below the floor" : `${ratio.toFixed(2)} per doubling, to ${ms.toFixed(0)} ms`;
  console.log(`${name.padEnd(28)} ${step}`);
}
if ([...steepest.values()].some(({ ratio }) => ratio > growthLimit)) process.exitCode = 1;
