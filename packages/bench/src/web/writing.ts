import { parseArgs } from "node:util";
import { Figures } from "./figures.ts";
import { measureCaret } from "./measure-caret.ts";
import { type KeyFigures, measurePlainWriting, measureWriting } from "./measure-writing.ts";
import { withBenchSite } from "./open-bench-site.ts";

const sizes = [
  [10_000, "10 kB", 16],
  [100_000, "100 kB", 16],
  [900_000, "0.9 MB", 80],
] as const;

/** The size that has budgets of its own: from E to the caret, and for a key on a slow processor. */
const slowSize = 100_000;
const caretMs: Readonly<Record<number, number>> = { [slowSize]: 250 };

/**
 * Measures the editor against its budgets: the time until a document can be written, its heap, and what a key costs the main thread of the
 * page, beside the same keys in a plain `contenteditable` of the same text; at 100 kB also on a processor that is four times as slow.
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
    figures.add(`${name}: JavaScript heap with the editor`, alone.heapMb, 60, { unit: "MB" });
    figures.add(
      `${name}: from E to the caret`,
      await measureCaret(site, await site.createDocument(size)),
      caretMs[size],
    );
    addKeys(name, alone, floor, budgetMs);
    if (size === slowSize) {
      const slow = await measureWriting(site, await site.createDocument(size), { slowdown: 4 });
      figures.add(`${name}, a processor four times as slow: a key, processor time, median`, slow.medianMs, 50);
      figures.add(`${name}, a processor four times as slow: a key, processor time, p95`, slow.p95Ms, 50);
    }
    if (others === 0) continue;
    const beside = await measureWriting(site, await site.createDocument(size), { others: writers });
    addKeys(`${name}, ${others} others writing`, beside, floor, budgetMs);
  }
});
figures.report({
  name: "writing in the app",
  command: "pnpm --filter @kb/bench writing --others 10 --write",
  write: values.write,
});
