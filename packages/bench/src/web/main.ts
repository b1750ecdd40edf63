import { parseArgs } from "node:util";
import { markdownTable, writeResults } from "../write-results.ts";
import { measureBoot, measureBuild, measureQuickOpen, measureTree } from "./app-in-use.ts";
import { measureChange } from "./change-to-page.ts";
import { firstBytes } from "./first-byte.ts";
import { withBenchSite } from "./open-bench-site.ts";

type Figure = { readonly what: string; readonly unit: "ms" | "s" | ""; readonly budget: number; readonly is: number };

/**
 * Measures the app against its budgets: the time to the first byte of a page, the start in the browser, the tree of 10,000
 * documents, quick open, changes of others, the same with 200 collections, and the build. `--write` writes the table to docs/performance.md. Exits with 1 beyond a budget.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
  const figures: Figure[] = [];
  const add = (what: string, is: number, budget: number, unit: Figure["unit"] = "ms"): void => {
    figures.push({ what, is, budget, unit });
    console.log(`${what}: ${is.toFixed(2)}`);
  };
  add("Build of the app, cold", measureBuild(), 4, "s");
  await withBenchSite(async (site) => {
    // One after another: the service refuses large documents at once while the machine is busy.
    const small = await site.createDocument(10_000);
    const medium = await site.createDocument(100_000);
    const large = await site.createDocument(900_000);
    // The first page of a process compiles the service itself.
    await firstBytes(site, small, 1);
    add("First byte of a page of 100 kB, first reader", await firstBytes(site, medium, 1), 80);
    add("First byte of a page of 100 kB, p95", await firstBytes(site, medium, 100), 80);
    add("First byte of a page of 0.9 MB, first reader", await firstBytes(site, large, 1), 600);
    add("First byte of a page of 0.9 MB, p95", await firstBytes(site, large, 30), 600);
    const boot = await measureBoot(site, small);
    add("Start on a page of 10 kB, processor time of the main thread", boot.bootMs, 170);
    add("Longest task on a page of 10 kB", boot.longestTaskMs, 100);
    add("Longest task on a page of 100 kB", (await measureBoot(site, medium)).longestTaskMs, 100);
    const tree = await measureTree(site);
    add("Tree of 10,000 documents: rows in the page", tree.mostRows, 70, "");
    add("Tree of 10,000 documents: scroll by a screen, processor time", tree.scrollMs, 8);
    add("Tree of 10,000 documents: move the selection, processor time", tree.selectMs, 4);
    const quickOpen = await measureQuickOpen(site, small);
    add("Quick open: key to list, processor time", quickOpen.openMs, 16);
    add("Quick open: letter to answer of the service, p95", quickOpen.answerMs, 150);
    add("Change of a title to the page of another window, p95", await measureChange(site, small), 1_000);
    await site.createCollections(200);
    const many = await measureBoot(site, small);
    add("Start with 200 collections, processor time of the main thread", many.bootMs, 170);
    add("Longest task with 200 collections", many.longestTaskMs, 100);
    add("Rows of the tree in a page with 200 collections", many.treeRows, 70, "");
    add(
      "Quick open with 200 collections: key to list, processor time",
      (await measureQuickOpen(site, small)).openMs,
      16,
    );
  });
  const text = ({ is, unit }: Pick<Figure, "is" | "unit">): string =>
    unit === "" ? String(is) : `${is.toFixed(is < 10 ? 1 : 0)} ${unit}`;
  const table = markdownTable(
    ["What", "Measured", "Budget"],
    figures.map((figure) => [figure.what, text(figure), text({ is: figure.budget, unit: figure.unit })]),
  );
  console.log(table);
  if (values.write) writeResults("app in use", "pnpm --filter @kb/bench app --write", table);
  const beyond = figures.filter(({ is, budget }) => !(is <= budget));
  for (const { what } of beyond) console.log(`Beyond its budget: ${what}`);
  if (beyond.length > 0) process.exitCode = 1;
}

await main();
