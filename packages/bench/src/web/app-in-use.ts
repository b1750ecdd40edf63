import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { median } from "../median.ts";
import { watchMainThread } from "./main-thread.ts";
import type { BenchSite } from "./open-bench-site.ts";
import { withPage } from "./page-of-reader.ts";
import { percentile } from "./percentile.ts";
import { settled, started, startedSelector } from "./started.ts";

const runs = 5;
/** A slow answer of each twenty is no p95 yet. */
const letters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Figures of the start of the app on a page: processor time of the main thread, the longest task by the clock, the rows of the tree. */
export type BootFigures = { readonly bootMs: number; readonly longestTaskMs: number; readonly treeRows: number };

/** Opens a page anew several times; returns medians. */
export async function measureBoot(site: BenchSite, path: string): Promise<BootFigures> {
  const treeRows: number[] = [];
  const boots: number[] = [];
  const longest: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    await withPage(site, async (page) => {
      await page.addInitScript(() => {
        let longestMs = 0;
        Object.defineProperty(globalThis, "longestTaskMs", { get: () => longestMs });
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longestMs = Math.max(longestMs, duration);
        }).observe({ type: "longtask", buffered: true });
      });
      const bootMs = await measureOpening(site, page, path, { waitUntil: "commit", shows: startedSelector });
      await settled(page);
      // The first run fills the caches of the service.
      if (run === 0) return;
      boots.push(bootMs);
      treeRows.push(await page.getByRole("treeitem").count());
      longest.push(await page.evaluate(() => Number(Reflect.get(globalThis, "longestTaskMs"))));
    });
  }
  return { bootMs: median(boots), longestTaskMs: median(longest), treeRows: median(treeRows) };
}

/** Opens a page anew several times without its scripts: the floor of its start. Returns the median of the processor time. */
export async function measureBootFloor(site: BenchSite, path: string): Promise<number> {
  const boots: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await withPage(site, async (page) => {
      await page.route("**/*.js", (route) => route.abort());
      boots.push(await measureOpening(site, page, path, { waitUntil: "load", shows: "#kb-navigation" }));
    });
  }
  return median(boots);
}

type Opened = { readonly waitUntil: "commit" | "load"; readonly shows: string };

/** Returns the processor time of a page's main thread from its address to the picture that shows an element. */
async function measureOpening(
  site: BenchSite,
  page: Page,
  path: string,
  { waitUntil, shows }: Opened,
): Promise<number> {
  // An address of the same site, so that the page stays in its process.
  await page.goto(`${site.origin}/assets/build.json`);
  const thread = await watchMainThread(page);
  return thread.during(async () => {
    await page.goto(`${site.origin}${path}`, { waitUntil });
    await thread.drawn(shows);
  });
}

/** Figures of quick open: processor time from Ctrl+K to its list, and the clock's from a letter to the service's answer in the page. */
export async function measureQuickOpen(site: BenchSite, path: string): Promise<{ openMs: number; answerMs: number }> {
  const opened: number[] = [];
  const answered: number[] = [];
  await withPage(site, async (page) => {
    await page.goto(`${site.origin}${path}`);
    await started(page);
    await page.evaluate(() => {
      addEventListener("keydown", ({ timeStamp }) => Reflect.set(globalThis, "letterAt", timeStamp), true);
    });
    const thread = await watchMainThread(page);
    const dialog = page.locator("[role=dialog]");
    for (const [run, letter] of [...letters].entries()) {
      const openMs = await thread.during(async () => {
        await page.keyboard.press("Control+k");
        await thread.drawn("[role=dialog] [data-key]");
      });
      const answer = page.waitForResponse((response) => response.url().includes("documents.suggest"));
      // A letter that was not asked for yet: an answer is kept for a while.
      await page.keyboard.type(letter);
      await (await answer).finished();
      await settled(page);
      if (run > 0) {
        opened.push(openMs);
        answered.push(await page.evaluate(msToSuggestions));
      }
      await page.keyboard.press("Escape");
      if ((await dialog.count()) > 0) await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
  });
  return { openMs: median(opened), answerMs: percentile(answered, 0.95) };
}

/** Returns the time from the last letter to the end of the answer, as the page had them: the harness hears of both later. */
function msToSuggestions(): number {
  const entry = performance.getEntriesByType("resource").findLast(({ name }) => name.includes("documents.suggest"));
  if (!(entry instanceof PerformanceResourceTiming)) throw new Error("Nothing was suggested");
  return entry.responseEnd - Number(Reflect.get(globalThis, "letterAt"));
}

/** Builds the app from nothing in a process of its own; returns the seconds that it took by the clock. */
export function measureBuild(): number {
  const folder = resolve(import.meta.dirname, "../../../../apps/web");
  rmSync(resolve(folder, "dist/client"), { recursive: true, force: true });
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["src/build/main.ts"], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`The app could not be built: ${stderr}`);
  return (performance.now() - begun) / 1_000;
}
