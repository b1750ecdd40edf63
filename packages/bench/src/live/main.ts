import { parseArgs } from "node:util";
import { documentOf } from "../document-of.ts";
import { markdownTable, writeResults } from "../write-results.ts";
import { measureAppend, measureBatches, measureCheckpoint, measureColdOpen } from "./measure-cost.ts";
import { measureRevocation } from "./measure-revocation.ts";
import { measureTyping } from "./measure-typing.ts";
import { type LiveSite, withLiveSite } from "./open-live-site.ts";

type Unit = "ms" | "B";
type Figure = { readonly what: string; readonly unit: Unit; readonly budget: number; readonly is: number };
type Add = (what: string, is: number, budget: number, unit?: Unit) => void;

const small = 5_000;
const large = 1_000_000;

/**
 * Measures people who write together in one document, on two instances with a worker, and the costs of what they send.
 * `--write` writes the table to docs/performance.md. Exits with 1 beyond a budget.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
  const figures: Figure[] = [];
  await withLiveSite(async (site) => {
    const add: Add = (what, is, budget, unit = "ms") => {
      figures.push({ what, is, budget, unit });
      console.log(`${what}: ${is.toFixed(2)}`);
    };
    await measureTypists(site, add);
    const revoked = await measureRevocation(site, await site.createDocument(documentOf(small)), 12);
    add("Right to write ended until the editor is read-only, slowest of 12", Math.max(...revoked), 1_000);
    await measureCosts(site, add);
  });
  const text = ({ is, unit }: Pick<Figure, "is" | "unit">): string => `${is.toFixed(is < 10 ? 2 : 0)} ${unit}`;
  const table = markdownTable(
    ["What", "Measured", "Budget"],
    figures.map((figure) => [figure.what, text(figure), text({ is: figure.budget, unit: figure.unit })]),
  );
  console.log(table);
  if (values.write) writeResults("live editing", "pnpm --filter @kb/bench live --write", table);
  const beyond = figures.filter(({ is, budget }) => !(is <= budget));
  for (const { what } of beyond) console.log(`Beyond its budget: ${what}`);
  if (beyond.length > 0) process.exitCode = 1;
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

async function measureCosts(site: LiveSite, add: Add): Promise<void> {
  const batch = await measureBatches(site, await site.createDocument(documentOf(small)), 1_000);
  add("A batch at 5 kB, processor time of the instance", batch.cpuMs, 1.5);
  add("A row of a batch, with its indexes", batch.rowBytes, 400, "B");
  add("Write-ahead log of a batch", batch.walBytes, 1_000, "B");
  const atLarge = await site.createDocument(documentOf(large));
  add("A batch at 1 MB, processor time of the instance", (await measureBatches(site, atLarge, 100)).cpuMs, 2);
  const atMedium = await site.createDocument(documentOf(10_000));
  add("A checkpoint of 10 kB, processor time", await measureCheckpoint(site, atMedium, 30), 5);
  add("A checkpoint of 1 MB, processor time", await measureCheckpoint(site, atLarge, 5), 150);
  add("An append to 1 MB, processor time of the instance", await measureAppend(site, atLarge, 5), 400);
  add("First opening of 1 MB on a new instance", await measureColdOpen(site, atLarge, 3), 300);
}

await main();
