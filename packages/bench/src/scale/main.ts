import { parseArgs } from "node:util";
import { openStore } from "../data/open.ts";
import { markdownTable, writeResults } from "../write-results.ts";
import { type Measured, measureOperation } from "./measure.ts";
import { type ServedSet, serveSet } from "./set.ts";

// `scale --sizes 1000,10000,100000` measures the main operations over REST and MCP at several sizes of a team, and the growth
// of their cost. The first run creates the data sets. `--only WORD` measures the operations whose names contain the word.

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,100000" },
    characters: { type: "string", default: "1200" },
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    write: { type: "boolean", default: false },
  },
});
const sizes = values.sizes.split(",").map(Number);
const characters = Number(values.characters);
const rounds = Number(values.rounds);
const sliceMs = 1_000;

async function main(): Promise<void> {
  const store = await openStore();
  const sets: ServedSet[] = [];
  try {
    for (const size of sizes) sets.push(await serveSet(await store.open(size, { characters })));
    const measured: Measured[] = [];
    for (const [index, { scenario }] of (sets[0]?.operations ?? []).entries()) {
      if (!scenario.name.includes(values.only)) continue;
      console.error(`${scenario.name} …`);
      measured.push(await measureOperation(sets, index, { rounds, sliceMs }));
    }
    const text = tables(measured);
    console.log(text);
    const command = `pnpm --filter @kb/bench scale --sizes ${values.sizes} --rounds ${rounds} --write`;
    if (values.write && values.only === "") writeResults("growth", command, text);
  } finally {
    await Promise.all(sets.map((set) => set.stop()));
    await store.stop();
  }
}

function tables(measured: readonly Measured[]): string {
  const named = (size: number): string => (size >= 1_000_000 ? `${size / 1_000_000} M` : `${size / 1_000} k`);
  const larger = sizes.slice(1);
  const latency = measured.map(({ name, figures }) => [
    name,
    `${figures[0]?.p95.toFixed(1)} ms`,
    ...figures.slice(1).map(({ growth, p95 }) => `× ${growth.toFixed(1)} (${p95.toFixed(0)} ms)`),
  ]);
  const capacity = measured.map(({ name, figures: [smallest, ...others] }) => [
    name,
    `${smallest?.capacity.toFixed(0)}/s`,
    ...others.map(({ capacity: own }) => `× ${(own / (smallest?.capacity ?? 1)).toFixed(2)}`),
  ]);
  const heads = (first: string): string[] => ["", `${first} at ${named(sizes[0] ?? 0)}`, ...larger.map(named)];
  return `${markdownTable(heads("p95"), latency)}\n\n${markdownTable(heads("throughput"), capacity)}`;
}

await main();
