import { parseArgs } from "node:util";
import { openStore } from "../data/open.ts";
import { table, writeDown } from "../written.ts";
import { type Measured, measureOperation } from "./measure.ts";
import { type ServedSet, serveSet } from "./set.ts";

// `scale --sizes 1000,10000,100000`: the main operations over REST and MCP at several sizes of a team, and how the cost of
// each grows. The data sets are made at the first run. `--only WORD` measures the operations that have the word in their name.

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
    if (values.write && values.only === "") writeDown("growth", command, text);
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
  return `${table(heads("p95"), latency)}\n\n${table(heads("answered"), capacity)}`;
}

await main();
