import { parseArgs } from "node:util";
import { Figures } from "./figures.ts";
import { type KeyFigures, measurePlainWriting, measureWriting } from "./measure-writing.ts";
import { withBenchSite } from "./open-bench-site.ts";

const sizes = [
  [10_000, "10 kB", 16],
  [100_000, "100 kB", 16],
  [900_000, "0.9 MB", 80],
] as const;

/**
 * Measures the editor against its budgets: the time until a document can be written, and what a key costs the main thread of the page,
 * beside the same keys in a plain `contenteditable` of the same text.
 * `--others 10` also measures it while so many write in the same document, `--size 100000` one size only. `--write` writes the table to
 * docs/performance.md. Exits with 1 beyond a budget.
 */
const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    others: { type: "string", default: "0" },
    size: { type: "string" },
  },
});
const others = Number(values.others);
const figures = new Figures();

function addKeys(name: string, keys: KeyFigures, floor: KeyFigures, budgetMs: number): void {
  figures.add(`${name}: a key, processor time, median`, keys.medianMs, budgetMs, { floor: floor.medianMs });
  figures.add(`${name}: a key, processor time, p95`, keys.p95Ms, budgetMs, { floor: floor.p95Ms });
  figures.add(`${name}: from key to key, by the clock`, keys.pauseMs, undefined, { floor: floor.pauseMs });
}

await withBenchSite(async (site) => {
  const writers = await site.createWriters(others);
  for (const [size, name, budgetMs] of sizes.filter(
    ([each]) => values.size === undefined || each === Number(values.size),
  )) {
    const floor = await measurePlainWriting(site, await site.createDocument(size));
    const alone = await measureWriting(site, await site.createDocument(size));
    figures.add(`${name}: from the address to a text that can be written`, alone.openMs, 3_000);
    addKeys(name, alone, floor, budgetMs);
    if (others === 0) continue;
    const beside = await measureWriting(site, await site.createDocument(size), writers);
    addKeys(`${name}, ${others} others writing`, beside, floor, budgetMs);
  }
});
figures.report({
  name: "writing in the app",
  command: "pnpm --filter @kb/bench writing --others 10 --write",
  write: values.write,
});
