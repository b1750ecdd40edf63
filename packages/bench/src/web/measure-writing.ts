import type { Page } from "playwright-core";
import type { Person } from "../live/open-live-site.ts";
import { drawn, watchMainThread } from "./main-thread.ts";
import type { BenchSite } from "./open-bench-site.ts";
import { whileOthersWrite } from "./others-writing.ts";
import { withPage } from "./page-of-reader.ts";
import { percentile } from "./percentile.ts";

/** Figures of a document that is written: the time until it can be, by the clock, and the processor time of a key. */
export type WritingFigures = { readonly openMs: number; readonly medianMs: number; readonly p95Ms: number };

const keys = 300;
const typed = "words that are typed, ";

/**
 * Opens a document for writing, types in its middle while `others` write in it too, and returns what the main thread of the page does
 * for each key.
 */
export async function measureWriting(
  site: BenchSite,
  path: string,
  others: readonly Person[] = [],
): Promise<WritingFigures> {
  let figures: WritingFigures | undefined;
  await withPage(site, async (page) => {
    // The first visit loads the scripts and fills the caches of the service.
    await open(site, page, path);
    const begun = performance.now();
    await open(site, page, path);
    const openMs = performance.now() - begun;
    await toMiddle(page);
    const thread = await watchMainThread(page);
    const times: number[] = [];
    const written = { origin: site.origin, documentId: path.slice("/documents/".length) };
    await whileOthersWrite(written, others, async () => {
      await seen(page, others.length);
      for (let count = 0; count < keys; count += 1) {
        const key = typed[count % typed.length] ?? " ";
        times.push(await thread.during(() => page.keyboard.press(key).then(() => drawn(page))));
      }
    });
    await requireTyped(page);
    figures = { openMs, medianMs: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
  });
  if (figures === undefined) throw new Error("Nothing was measured");
  return figures;
}

async function open({ origin }: BenchSite, page: Page, path: string): Promise<void> {
  await page.goto(`${origin}${path}?edit=true`);
  await page.locator(".editor[contenteditable=true]").waitFor();
  await drawn(page);
}

/** Puts the caret at the end of the paragraph in the middle. */
async function toMiddle(page: Page): Promise<void> {
  const paragraphs = page.locator(".editor > p");
  const middle = paragraphs.nth(Math.floor((await paragraphs.count()) / 2));
  await middle.scrollIntoViewIfNeeded();
  await middle.click();
  await page.keyboard.press("End");
  // The editor learns of a caret some time after the key.
  await drawn(page);
}

/** Waits until the page shows the carets of others. */
async function seen(page: Page, others: number): Promise<void> {
  if (others > 0)
    await page
      .locator(".editor ~ * [data-color]")
      .nth(others - 1)
      .waitFor({ state: "attached" });
}

/** A part that was not typed costs nothing. */
async function requireTyped(page: Page): Promise<void> {
  await page.locator(".editor").getByText(typed.repeat(3)).waitFor();
  await page
    .getByRole("main")
    .getByRole("status")
    .getByText(/^Saved$/)
    .waitFor();
}
