import { setTimeout } from "node:timers/promises";
import type { BenchSite } from "./open-bench-site.ts";
import { withPage } from "./page-of-reader.ts";
import { percentile } from "./percentile.ts";

const changes = 20;
/** The pause between two changes: while many come in a row, the app collects them. */
const pauseMs = 1_500;

/**
 * Returns the 95th percentile of the time from the call that changes a title to the page of another window that shows it, in
 * milliseconds by the clock.
 */
export async function measureChange(site: BenchSite, path: string): Promise<number> {
  const times: number[] = [];
  await withPage(site, async (page) => {
    const connected = page.waitForResponse((response) => response.url().includes("/api/app.events"));
    await page.goto(`${site.origin}${path}`);
    await connected;
    for (let change = 0; change <= changes; change += 1) {
      await setTimeout(pauseMs);
      const title = `Changed ${change} times`;
      const begun = performance.now();
      await site.rename(path, title);
      await page.waitForFunction((text) => document.querySelector("h1")?.textContent === text, title);
      // The first one loads what the others have.
      if (change > 0) times.push(performance.now() - begun);
    }
  });
  return percentile(times, 0.95);
}
