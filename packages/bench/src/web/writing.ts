import { parseArgs } from "node:util";
import { Figures } from "./figures.ts";
import { measureWriting } from "./measure-writing.ts";
import { withBenchSite } from "./open-bench-site.ts";

/**
 * Measures the editor against its budgets: the time until a document can be written, and what a key costs the main thread of the page.
 * `--write` writes the table to docs/performance.md. Exits with 1 beyond a budget.
 */
const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
const figures = new Figures();
await withBenchSite(async (site) => {
  for (const [size, name, budgetMs] of [
    [10_000, "10 kB", 16],
    [100_000, "100 kB", 16],
    [900_000, "0.9 MB", 80],
  ] as const) {
    const { openMs, medianMs, p95Ms } = await measureWriting(site, await site.createDocument(size));
    figures.add(`${name}: from the address to a text that can be written`, openMs, 3_000);
    figures.add(`${name}: a key, processor time, median`, medianMs, budgetMs);
    figures.add(`${name}: a key, processor time, p95`, p95Ms, budgetMs);
  }
});
figures.report({ name: "writing in the app", command: "pnpm --filter @kb/bench writing --write", write: values.write });
