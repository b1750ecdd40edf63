import { parseArgs } from "node:util";
import { growthLimit, threadMs } from "@kb/testing/growth";
import fc from "fast-check";
import { structures, works } from "./growth-works.ts";
import { workOrRefusal } from "./work-or-refusal.ts";

// `pnpm growth --structures 10 --bytes 1500000` measures how much longer every public function takes on twice the
// input, over random structures and three doublings up to `bytes`, in processor time; `--only PATTERN` measures those whose
// names match. A step that looks too steep is measured again: its fastest samples decide, and then the growth per doubling from a
// quarter of the input, because one step alone also measures the caches and the garbage collector. Steps between a call that
// is refused and one that is not do different work, and are counted instead. Ends with 1 if a growth is above the limit.

const { values } = parseArgs({
  options: {
    structures: { type: "string", default: "10" },
    bytes: { type: "string", default: "1500000" },
    only: { type: "string", default: "" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const doublings = 3;
/** The first sample also compiles. */
const minSamples = 2;
const maxSamples = 15;
/** Below it, the clock and the garbage collector decide. */
const floorMs = 60;

type Sample = { readonly ms: number; readonly isRefused: boolean };

function once(work: () => unknown): Sample {
  const start = threadMs();
  const isRefused = workOrRefusal(work);
  return { ms: threadMs() - start, isRefused };
}

type Growth = { readonly ratio: number; readonly ms: number };

/**
 * Returns the growth per doubling from the fastest sample of one work to that of a larger one, with as many samples as it takes
 * to stay below the limit: a busy machine only adds time. Undefined where only one of them is refused.
 */
function growth(small: () => unknown, large: () => unknown, doublingsBetween = 1): Growth | undefined {
  const smalls: number[] = [];
  const larges: number[] = [];
  let ratio = Number.POSITIVE_INFINITY;
  while (larges.length < minSamples || (larges.length < maxSamples && ratio > growthLimit)) {
    const before = once(small);
    const after = once(large);
    if (before.isRefused !== after.isRefused) return undefined;
    smalls.push(before.ms);
    larges.push(after.ms);
    const whole = Math.min(...larges) / Math.max(0.1, Math.min(...smalls));
    ratio = Math.min(...larges) < floorMs ? 0 : whole ** (1 / doublingsBetween);
  }
  return { ratio, ms: Math.min(...larges) };
}

/** Returns the growth to a work from half of its input, or from a quarter of it where that looks too steep. */
function growthTo(quarter: () => unknown, half: () => unknown, whole: () => unknown): Growth | undefined {
  const step = growth(half, whole);
  return step !== undefined && step.ratio > growthLimit ? (growth(quarter, whole, 2) ?? step) : step;
}

type Steepest = { readonly ratio: number; readonly ms: number; readonly structure: string };

const steepest = new Map<string, Steepest>();
const only = new RegExp(values.only);
let different = 0;
// Two sizes before the first that is judged.
const sizes = Array.from({ length: doublings + 2 }, (_, step) => Number(values.bytes) / 2 ** (doublings + 1 - step));
const samples = fc.sample(structures, { numRuns: Number(values.structures), seed: Number(values.seed) });
for (const structure of samples) {
  const bySize = sizes.map((bytes) => works(structure, bytes));
  for (const [index, bytes] of sizes.slice(2).entries()) {
    for (const [name, whole] of Object.entries(bySize[index + 2] ?? {}).filter(([name]) => only.test(name))) {
      const measured = growthTo(bySize[index]?.[name] ?? whole, bySize[index + 1]?.[name] ?? whole, whole);
      if (measured === undefined) {
        different += 1;
        continue;
      }
      const { ratio, ms } = measured;
      const known = steepest.get(name);
      const shown = `${JSON.stringify(structure)}, ${bytes} bytes`;
      if (ratio > (known?.ratio ?? -1)) steepest.set(name, { ratio, ms, structure: shown });
      if (ratio > growthLimit) console.log(`STEEP ${name}: ${ratio.toFixed(2)} to ${ms.toFixed(0)} ms on ${shown}`);
    }
  }
}
console.log(
  `${samples.length} structures up to ${values.bytes} bytes, seed ${values.seed}; ${different} steps with refusals on one side`,
);
for (const [name, { ratio, ms }] of steepest) {
  const step = ratio === 0 ? "below the floor" : `${ratio.toFixed(2)} per doubling, to ${ms.toFixed(0)} ms`;
  console.log(`${name.padEnd(28)} ${step}`);
}
if ([...steepest.values()].some(({ ratio }) => ratio > growthLimit)) process.exitCode = 1;
