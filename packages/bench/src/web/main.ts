import { parseArgs } from "node:util";
import { measureBoot, measureBootFloor, measureBuild, measureQuickOpen } from "./app-in-use.ts";
import { measureChange } from "./change-to-page.ts";
import { Figures } from "./figures.ts";
import { firstBytes } from "./first-byte.ts";
import { measureTree } from "./measure-tree.ts";
import { type BenchSite, withBenchSite } from "./open-bench-site.ts";
import { measureScriptSpeed } from "./script-speed.ts";

type Add = Figures["add"];

/** The parts of the measurement, in their order: in a whole run the later ones find what the earlier ones stored. */
const parts: Readonly<Record<string, (site: BenchSite, add: Add) => Promise<void>>> = {
  bytes: async (site, add) => {
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
  },
  start: async (site, add) => {
    const small = await site.createDocument(10_000);
    const boot = await measureBoot(site, small);
    const floor = await measureBootFloor(site, small);
    add("Start on a page of 10 kB, processor time of the main thread", boot.bootMs, 170, { floor });
    add("Longest task on a page of 10 kB", boot.longestTaskMs, 100);
    const medium = await measureBoot(site, await site.createDocument(100_000));
    add("Longest task on a page of 100 kB", medium.longestTaskMs, 100);
  },
  tree: async (site, add) => {
    const { floor, ...tree } = await measureTree(site);
    add("Tree of 10,000 documents: rows in the page", tree.mostRows, 70, { unit: "" });
    add("Tree of 10,000 documents: scroll by a screen, processor time", tree.scrollMs, 8, { floor: floor.scrollMs });
    add("Tree of 10,000 documents: move the selection by a held key, processor time", tree.selectMs, 4, {
      floor: floor.selectMs,
    });
  },
  quick: async (site, add) => {
    const quickOpen = await measureQuickOpen(site, await site.createDocument(10_000));
    add("Quick open: key to list, processor time", quickOpen.openMs, 16);
    add("Quick open: letter to answer of the service, p95", quickOpen.answerMs, 150);
  },
  change: async (site, add) => {
    const changed = await measureChange(site, await site.createDocument(10_000));
    add("Change of a title to the page of another window, p95", changed, 1_000);
  },
  many: async (site, add) => {
    const small = await site.createDocument(10_000);
    await site.createCollections(200);
    const many = await measureBoot(site, small);
    const floor = await measureBootFloor(site, small);
    add("Start with 200 collections, processor time of the main thread", many.bootMs, 170, { floor });
    add("Longest task with 200 collections", many.longestTaskMs, 100);
    add("Rows of the tree in a page with 200 collections", many.treeRows, 70, { unit: "" });
    const { openMs } = await measureQuickOpen(site, small);
    add("Quick open with 200 collections: key to list, processor time", openMs, 16);
  },
};

/**
 * Measures the app against its budgets: the build, the time to the first byte of a page, the start in the browser, the tree of 10,000
 * documents, quick open, changes of others, the same with 200 collections. `--only tree,quick` measures some parts; `--write` writes
 * the table of all to docs/performance.md. Exits with 1 beyond a budget.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: "boolean", default: false }, only: { type: "string" } } });
  const chosen = values.only?.split(",") ?? ["build", ...Object.keys(parts)];
  const unknown = chosen.filter((name) => name !== "build" && parts[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join()}: choose of build,${Object.keys(parts).join()}`);
  const figures = new Figures();
  const add: Add = (...figure) => figures.add(...figure);
  if (chosen.includes("build")) add("Build of the app, cold", measureBuild(), 4, { unit: "s" });
  await withBenchSite(async (site) => {
    add("Fixed script in an empty page, processor time", await measureScriptSpeed(site));
    for (const [name, measure] of Object.entries(parts)) if (chosen.includes(name)) await measure(site, add);
  });
  const write = values.write && values.only === undefined;
  figures.report({ name: "app in use", command: "pnpm --filter @kb/bench app --write", write });
}

await main();
