import { parseArgs } from "node:util";
import { type FirstView, measureFirstView } from "./measure-first-view.ts";
import { median } from "./median.ts";
import { type BenchSite, withBenchSite } from "./web/open-bench-site.ts";
import { markdownTable, writeResults } from "./write-results.ts";

const runs = 5;
const sizes = [10_000, 100_000];
/** The budgets of a first view: milliseconds until the article is painted, by size of the document, and what all sizes share. */
const articlePaintMs: Readonly<Record<number, number>> = { 10000: 1_800, 100000: 2_000 };
const budgets = { usableMs: 3_200, layoutShift: 0, scriptBytes: 165_000 } as const;
const columns = [
  "Document",
  "First paint",
  "Article painted",
  "App usable",
  "Layout shift",
  "JavaScript",
  "All bytes",
  "Requests",
];

/**
 * Measures the first view of documents of 10 kB and 100 kB in Chromium, over slow 4G (150 ms, 1.6 Mbit/s) with a four times
 * slower processor, 412 pixels wide, with nothing cached: medians of five. `--write` writes them to docs/performance.md. Exits
 * with 1 beyond a budget.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
  await withBenchSite(async (site) => {
    const measured = await measureOn(site);
    const table = markdownTable(
      columns,
      measured.map(({ size, views }) => [`${size / 1_000} kB`, ...cellsOf(views)]),
    );
    console.log(table);
    const beyond = measured.flatMap(beyondBudget);
    for (const line of beyond) console.log(`Beyond its budget: ${line}`);
    if (beyond.length > 0) process.exitCode = 1;
    if (values.write) writeResults("first view", "pnpm --filter @kb/bench first-view --write", table);
  });
}

type Measured = { readonly size: number; readonly views: readonly FirstView[] };

async function measureOn({ browser, origin, token, createDocument }: BenchSite): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const size of sizes) {
    const address = await createDocument(size);
    const views: FirstView[] = [];
    // The first run fills the caches of the service, as the second reader of a document finds them.
    for (let run = 0; run <= runs; run += 1) {
      const view = await measureFirstView(browser, `${origin}${address}`, token);
      if (run > 0) views.push(view);
    }
    rows.push({ size, views });
  }
  return rows;
}

/** Returns a line for each figure of a document that is beyond its budget. */
function beyondBudget({ size, views }: Measured): string[] {
  const most = { ...budgets, articlePaintMs: articlePaintMs[size] ?? Number.NaN };
  return (["articlePaintMs", "usableMs", "layoutShift", "scriptBytes"] as const)
    .map((name) => ({ name, is: median(views.map((view) => view[name])) }))
    .filter(({ name, is }) => !(is <= most[name]))
    .map(({ name, is }) => `${name} of ${size / 1_000} kB: ${is} instead of ${most[name]}`);
}

function cellsOf(views: readonly FirstView[]): string[] {
  const of = (read: (view: FirstView) => number): number => median(views.map(read));
  const seconds = (read: (view: FirstView) => number): string => `${(of(read) / 1_000).toFixed(2)} s`;
  const kilobytes = (read: (view: FirstView) => number): string => `${(of(read) / 1_000).toFixed(0)} kB`;
  return [
    seconds((view) => view.firstPaintMs),
    seconds((view) => view.articlePaintMs),
    seconds((view) => view.usableMs),
    of((view) => view.layoutShift).toFixed(3),
    kilobytes((view) => view.scriptBytes),
    kilobytes((view) => view.bytes),
    String(of((view) => view.requests)),
  ];
}

await main();
