import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { Person } from "../live/open-live-site.ts";
import { drawn, watchMainThread } from "./main-thread.ts";
import type { BenchSite } from "./open-bench-site.ts";
import { whileOthersWrite } from "./others-writing.ts";
import { withPage } from "./page-of-reader.ts";
import { percentile } from "./percentile.ts";

/** The processor time of the main thread from each key to the next, and the mean time between them by the clock, in milliseconds. */
export type KeyFigures = { readonly medianMs: number; readonly p95Ms: number; readonly pauseMs: number };
/** Figures of a document that is written: the time until it can be, by the clock, the JavaScript heap then, and those of the keys. */
export type WritingFigures = KeyFigures & { readonly openMs: number; readonly heapMb: number };

/** Ways to write: beside `others`, by default nobody, and on a processor that is `slowdown` times as slow, by default 1. */
export type WritingOptions = { readonly others?: readonly Person[]; readonly slowdown?: number };

const keys = 300;
/** The time from key to key, that of a quick typist. */
const keyMs = 45;
const typed = "words that are typed, ";
const article = "article.prose";

/**
 * Opens a document for writing, types in its middle while `others` write in it too, and returns what the main thread of the page does
 * for each key.
 */
export async function measureWriting(
  site: BenchSite,
  path: string,
  { others = [], slowdown = 1 }: WritingOptions = {},
): Promise<WritingFigures> {
  return withPage(site, async (page) => {
    const thread = await watchMainThread(page);
    // The first visit loads the scripts and fills the caches of the service.
    await open(site, page, path);
    const begun = performance.now();
    await open(site, page, path);
    const openMs = performance.now() - begun;
    const heapMb = await thread.heapMb();
    await toMiddle(page, ".editor");
    await thread.slowDown(slowdown);
    const keyFigures = await whileOthersWrite(site, path.slice("/documents/".length), others, async () => {
      await seen(page, others.length);
      return typeKeys(page);
    });
    await requireTyped(page);
    return { openMs, heapMb, ...keyFigures };
  });
}

/** Types in the middle of the same document as a page without script that the browser lets people edit: the floor of a key. */
export async function measurePlainWriting(site: BenchSite, path: string): Promise<KeyFigures> {
  const measure = async (page: Page): Promise<KeyFigures> => {
    await page.goto(`${site.origin}${path}`);
    await page.locator(article).evaluate((element) => element.setAttribute("contenteditable", "true"));
    await toMiddle(page, article);
    const figures = await typeKeys(page);
    await page.locator(article).getByText(typed.repeat(3)).waitFor();
    return figures;
  };
  return withPage(site, measure, { javaScriptEnabled: false });
}

/** Types keys at the caret, and counts all that the main thread does from each to the next. */
async function typeKeys(page: Page): Promise<KeyFigures> {
  const thread = await watchMainThread(page);
  const times: number[] = [];
  const pressed: Promise<void>[] = [];
  const begun = performance.now();
  let before = await thread.ms();
  for (let count = 0; count < keys; count += 1) {
    // A person does not wait for the page. A key that fails is reported at the end.
    const press = page.keyboard.press(typed[count % typed.length] ?? " ");
    press.catch(() => undefined);
    pressed.push(press);
    await pause(Math.max(0, begun + (count + 1) * keyMs - performance.now()));
    // The page itself tells its time, so that the next key comes late where it is busy for longer than a pause.
    const after = await thread.ms();
    times.push(after - before);
    before = after;
  }
  const pauseMs = (performance.now() - begun) / keys;
  await Promise.all(pressed);
  return { medianMs: percentile(times, 0.5), p95Ms: percentile(times, 0.95), pauseMs };
}

async function open({ origin }: BenchSite, page: Page, path: string): Promise<void> {
  await page.goto(`${origin}${path}?edit=true`);
  await page.locator(".editor[contenteditable=true]").waitFor();
  await drawn(page);
}

/** Puts the caret at the end of the paragraph in the middle. */
async function toMiddle(page: Page, text: string): Promise<void> {
  const paragraphs = page.locator(`${text} > p`);
  const middle = paragraphs.nth(Math.floor((await paragraphs.count()) / 2));
  await middle.scrollIntoViewIfNeeded();
  await middle.click();
  await page.keyboard.press("End");
  // The editor learns of a caret some time after the key.
  await pause(500);
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
