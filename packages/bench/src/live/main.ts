import { parseArgs } from "node:util";
import { documentOf } from "../document-of.ts";
import { markdownTable, writeResults } from "../write-results.ts";
import {
  measureAppend,
  measureBatches,
  measureCheckpoint,
  measureColdOpen,
  measureFirstBatches,
  measureFloorOfBatch,
  type Rounds,
} from "./measure-cost.ts";
import { measureRevocation } from "./measure-revocation.ts";
import { measureTyping } from "./measure-typing.ts";
import { type LiveSite, withLiveSite } from "./open-live-site.ts";

type Unit = "ms" | "B";
/** A cold figure, of work that an instance does for the first time, has no budget. The floor is in the unit of the figure. */
type Figure = {
  readonly what: string;
  readonly unit: Unit;
  readonly budget: number | undefined;
  readonly is: number;
  readonly floor: number | undefined;
};
type More = { readonly unit?: Unit; readonly floor?: number };
type Add = (what: string, is: number, budget?: number, more?: More) => void;

const small = 5_000;
const large = 1_000_000;

/**
 * Measures people who write together in one document, on two instances with a worker, and the costs of what they send. `--costs`
 * measures only the costs, and writes nothing.
 * `--write` writes the table to docs/performance.md. Exits with 1 beyond a budget.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { write: { type: "boolean", default: false }, costs: { type: "boolean", default: false } },
  });
  const figures: Figure[] = [];
  await withLiveSite(async (site) => {
    const add: Add = (what, is, budget, { unit = "ms", floor } = {}) => {
      figures.push({ what, is, budget, unit, floor });
      console.log(`${what}: ${is.toFixed(2)}`);
    };
    if (!values.costs) await measurePeople(site, add);
    await measureCosts(site, add);
  });
  const text = ({ is, unit }: Pick<Figure, "is" | "unit">): string => `${is.toFixed(is < 10 ? 2 : 0)} ${unit}`;
  const optional = (is: number | undefined, unit: Unit): string => (is === undefined ? "" : text({ is, unit }));
  const table = markdownTable(
    ["What", "Measured", "Floor", "Budget"],
    figures.map((figure) => [
      figure.what,
      text(figure),
      optional(figure.floor, figure.unit),
      optional(figure.budget, figure.unit),
    ]),
  );
  console.log(table);
  if (values.write && !values.costs) writeResults("live editing", "pnpm --filter @kb/bench live --write", table);
  const beyond = figures.filter(({ is, budget }) => budget !== undefined && !(is <= budget));
  for (const { what } of beyond) console.log(`Beyond its budget: ${what}`);
  if (beyond.length > 0) process.exitCode = 1;
}

async function measurePeople(site: LiveSite, add: Add): Promise<void> {
  await measureTypists(site, add);
  const revoked = await measureRevocation(site, await site.createDocument(documentOf(small)), 12);
  add("Right to write ended until the editor is read-only, slowest of 12", Math.max(...revoked), 1_000);
}

async function measureTypists(site: LiveSite, add: Add): Promise<void> {
  for (const editors of [4, 12]) {
    const typing = { editors, oneWayMs: 20, pauseMs: 270, seconds: 15 };
    const { p50, p95, count } = await measureTyping(site, await site.createDocument(documentOf(small)), typing);
    const what = `Keystroke to another screen, ${editors} typists, 20 ms away`;
    console.log(`${what}: ${count} pairs`);
    add(`${what}, p50`, p50, 200);
    add(`${what}, p95`, p95, 400);
  }
  // Ten keystrokes in a second, which 199 others see.
  const crowd = { editors: 200, oneWayMs: 20, pauseMs: 27_000, seconds: 20 };
  const { p95, count } = await measureTyping(site, await site.createDocument(documentOf(small)), crowd);
  console.log(`200 editors: ${count} pairs`);
  add("Keystroke to another screen, 200 editors, ten keystrokes in a second, p95", p95, 1_000);
}

/** Documents small and large are at work before the figures that have a budget are taken. */
async function measureCosts(site: LiveSite, add: Add): Promise<void> {
  const atSmall = await site.createDocument(documentOf(small));
  add("The first 100 batches of a new instance, processor time of each", await measureFirstBatches(site, atSmall, 100));
  const often: Rounds = { before: 3_000, measured: 1_000 };
  const batch = await measureBatches(site, atSmall, often);
  const floor = await measureFloorOfBatch(site, often);
  add("A batch at 5 kB, processor time of the instance", batch.cpuMs, 1.5, { floor });
  add("A row of a batch, with its indexes", batch.rowBytes, 400, { unit: "B" });
  add("Write-ahead log of a batch", batch.walBytes, 1_000, { unit: "B" });
  const atLarge = await site.createDocument(documentOf(large));
  const batchAtLarge = await measureBatches(site, atLarge, { before: 200, measured: 300 });
  add("A batch at 1 MB, processor time of the instance", batchAtLarge.cpuMs, 2, { floor });
  const atMedium = await site.createDocument(documentOf(10_000));
  const medium = await measureCheckpoint(site, atMedium, { before: 100, measured: 50 });
  add("A checkpoint of 10 kB, processor time", medium.usualMs, 5);
  const inThread: Rounds = { before: 12, measured: 8 };
  const checkpoint = await measureCheckpoint(site, atLarge, inThread);
  add("The first checkpoint of 1 MB in an instance, which starts a thread", checkpoint.firstMs);
  add("A checkpoint of 1 MB, processor time", checkpoint.usualMs, 150);
  const append = await measureAppend(site, atLarge, inThread);
  add("The first append to 1 MB in an instance", append.firstMs);
  add("An append to 1 MB, processor time of the instance", append.usualMs, 400);
  add("First opening of 1 MB on a new instance", await measureColdOpen(site, atLarge, 3), 300);
}

await main();
