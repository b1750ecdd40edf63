import { parseArgs } from "node:util";
import { Figures } from "./figures.ts";
import { measureWriting } from "./measure-writing.ts";
import { withBenchSite } from "./open-bench-site.ts";

const sizes = [
  [10_000, "10 kB", 16],
  [100_000, "100 kB", 16],
  [900_000, "0.9 MB", 80],
] as const;

/**
 * Measures the editor against its budgets: the time until a document can be written, and what a key costs the main thread of the page.
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
await withBenchSite(async (site) => {
  const writers = await site.createWriters(others);
  for (const [size, name, budgetMs] of sizes.filter(
    ([each]) => values.size === undefined || each === Number(values.size),
  )) {
    const { openMs, medianMs, p95Ms } = await measureWriting(site, await site.createDocument(size));
    figures.add(`${name}: from the address to a text that can be written`, openMs, 3_000);
    figures.add(`${name}: a key, processor time, median`, medianMs, budgetMs);
    figures.add(`${name}: a key, processor time, p95`, p95Ms, budgetMs);
    if (others === 0) continue;
    const beside = await measureWriting(site, await site.createDocument(size), writers);
    figures.add(`${name}, ${others} others writing: a key, processor time, median`, beside.medianMs, budgetMs);
    figures.add(`${name}, ${others} others writing: a key, processor time, p95`, beside.p95Ms, budgetMs);
  }
});
figures.report({
  name: "writing in the app",
  command: "pnpm --filter @kb/bench writing --others 10 --write",
  write: values.write,
});
