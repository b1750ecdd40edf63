import type { Page } from "playwright-core";
import { median } from "../median.ts";
import { watchMainThread } from "./main-thread.ts";
import type { BenchSite } from "./open-bench-site.ts";
import { withPage } from "./page-of-reader.ts";

/** Returns the processor time of a fixed script in an empty page: the machine's speed at that hour, which absolute figures depend on. */
export async function measureScriptSpeed(site: BenchSite): Promise<number> {
  const times: number[] = [];
  await withPage(site, async (page: Page) => {
    const thread = await watchMainThread(page);
    for (let run = 0; run < 7; run += 1) times.push(await thread.during(() => page.evaluate(runFixedScript)));
  });
  // The first two runs also compile the script.
  return median(times.slice(2));
}

/** Runs in the page: makes, sorts and looks up objects and texts. */
function runFixedScript(): void {
  const entries = Array.from({ length: 50_000 }, (_, index) => ({ key: `row ${(index * 7_919) % 50_000}`, index }));
  entries.sort((one, other) => (one.key < other.key ? -1 : 1));
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const found = entries.filter(({ index }) => byKey.get(`row ${index}`) !== undefined);
  if (found.length !== entries.length) throw new Error("The script lost an entry");
}
